/** What the rules of `[permissions]` say to a call, and what a person is shown who is asked. */
export * from './policy.ts';
export * from './request.ts';
export { quoteCommand } from './shell-quote.ts';
export * from './suggest.ts';
export { visibleLine, visibleText } from './visible.ts';
