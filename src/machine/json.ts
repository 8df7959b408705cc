/** What can be stored: the values that flow between steps. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
