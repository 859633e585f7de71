/** The names of all options. The compiler reports a new option that is missing here. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>

/** Likely mistakes, with the option that was meant. */
const SUGGESTIONS: Readonly<Record<string, string>> = {
  spec: 'contract',
  document: 'contract',
  openapi: 'contract',
  token: 'credentials',
  clientKey: 'credentials',
  clientSecret: 'credentials',
  kind: 'target',
  baseURL: 'baseUrl',
  rules: 'only',
  operation: 'operations',
}

/**
 * Rejects unknown options, since a misspelt one would be ignored silently.
 *
 * @throws {TypeError} with the first unknown option and all known ones
 */
export function refuseUnknown(name: string, options: object, known: object): void {
  const stray = Object.keys(options).find((it) => !Object.hasOwn(known, it))
  if (stray === undefined) return
  const meant = Object.hasOwn(SUGGESTIONS, stray) ? SUGGESTIONS[stray] : undefined
  const hint = meant !== undefined && Object.hasOwn(known, meant) ? ` (did you mean ${meant}?)` : ''
  throw new TypeError(`${name} has no option "${stray}"${hint}; it has ${Object.keys(known).join(', ')}`)
}

/** @throws {TypeError} if the contract is not a parsed document, but for example a file name */
export function requireDocument(contract: unknown): void {
  if (contract === undefined || (typeof contract === 'object' && contract !== null)) return
  throw new TypeError(`contract must be an object, a parsed OpenAPI document, got ${typeof contract}`)
}
