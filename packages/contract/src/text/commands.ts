/** `##[name]` of GitHub, also with a word between, as Azure and TeamCity write it. */
const MARKED = /##(?=\w*\[)/g
/** `::name::` of GitHub, which trims the line before. */
const AT_START_OF_LINE = /(^|\s)::(?=[a-z])/gi

/**
 * Breaks what the log of a CI job obeys, such as `##[set-output …]` anywhere in a line and
 * `::add-mask::` at its start. Anything after a space may start a line, because text is wrapped.
 * The escapes are those of JSON, so JSON keeps its meaning.
 *
 * @example
 * withoutCommands('::add-mask::1') // '\\u003a:add-mask::1'
 */
export function withoutCommands(text: string): string {
  return text
    .replace(MARKED, String.raw`#\u0023`)
    .replace(AT_START_OF_LINE, (_, before: string) => `${before}${String.raw`\u003a:`}`)
}
