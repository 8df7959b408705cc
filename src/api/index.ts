/** What our own surfaces take from the public entries. */
export { version } from './version.ts';
