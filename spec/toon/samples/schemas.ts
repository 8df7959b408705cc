import { Schema } from 'effect';

export class Ticket extends Schema.Class<Ticket>('Ticket')({
  repo: Schema.String,
  fast: Schema.Boolean,
}) {}

export class Verdict extends Schema.Class<Verdict>('Verdict')({
  text: Schema.String,
  score: Schema.Number,
}) {}
