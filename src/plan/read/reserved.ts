/** The names that no node can have. Ids stand as names in expressions and in code, where these mean something already. */
const words = (text: string) => text.trim().split(/\s+/);

const reserved: ReadonlyMap<string, string> = new Map([
  ...words('input params loop id steps services attempt runId key cwd signal sh').map(
    (name) => [name, 'a word of the context'] as const,
  ),
  ...words(`Math JSON Date Object Array String Number Boolean RegExp undefined NaN Infinity parseInt parseFloat isNaN
    isFinite encodeURI encodeURIComponent decodeURI decodeURIComponent globalThis Map Set WeakMap WeakSet Promise Error
    Symbol BigInt Intl Reflect Proxy Function console eval arguments`).map((name) => [name, 'a global'] as const),
  ...words(`break case catch class const continue debugger default delete do else enum export extends false finally for
    function if import in instanceof new null return super switch this throw true try typeof var void while with yield
    let static await implements interface package private protected public`).map(
    (name) => [name, 'a reserved word of JavaScript'] as const,
  ),
  ...Object.getOwnPropertyNames(Object.prototype).map((name) => [name, 'a member of every object'] as const),
]);

/** Why a name cannot be an id, or undefined when it can. The linker asks for ids that hold `{id}`, once they are known. */
export function reservedAs(id: string): string | undefined {
  return reserved.get(id);
}
