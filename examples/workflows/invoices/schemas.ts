/** The types of invoices.toon. */
import { Schema } from 'effect';
import { z } from 'zod';

export class Mail extends Schema.Class<Mail>('Mail')({
  from: Schema.String,
  subject: Schema.optional(Schema.String),
  body: Schema.String,
}) {}

export const invoice = z.object({
  number: z.string(),
  currency: z.enum(['EUR', 'USD']),
  lines: z.array(z.object({ text: z.string(), amount: z.number() })),
});
