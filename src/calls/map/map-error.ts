/** What is wrong with the arguments of a call. */

export type MapErrorCode =
  /** The body is not one JSON object. */
  | 'json'
  /** A required parameter has no value. */
  | 'missing'
  /** There is a body, but no parameter for it. */
  | 'body'
  /** The header has more values than there are parameters. */
  | 'extra'
  /** The header is written in a way that is surely not meant as it stands. */
  | 'slip'
  /** A quote in the header is not closed. */
  | 'quote'
  /** A value of the wrong type. */
  | 'type'
  /** None of the values that are allowed. */
  | 'enum'
  /** A number that cannot be kept exactly. */
  | 'precision'
  /** A number that is too small, too large, or no multiple. */
  | 'range'
  /** A text, an array or an object that is too short or too long. */
  | 'length'
  /** A text that does not look as it must. */
  | 'pattern'
  /** An array with the same item twice. */
  | 'unique'
  /** A parameter that there is not. */
  | 'unknown'
  /** A name that stands twice in an object. */
  | 'duplicate'
  /** A value that fits none, or too many, of the forms it may have. */
  | 'match'
  /** The schema is too entangled to check the arguments. */
  | 'schema';

export interface MapError {
  readonly code: MapErrorCode;
  /** The parameter it is about; inside of one with the way there: `headers/accept`, `items/0/name`. */
  readonly param?: string;
  /** What is wrong and what to write instead, on one line. */
  readonly message: string;
}

/** `code`, or `code:param`: the notation of the test vectors. */
export function errorKey({ code, param }: MapError): string {
  return param === undefined ? code : `${code}:${param}`;
}
