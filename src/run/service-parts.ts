/** What connects services: for runs whose agents have some. */
export { openServices } from '../tool/index.ts';
