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
  const unknown = Object.keys(options).find((it) => !Object.hasOwn(known, it))
  if (unknown === undefined) return
  const suggestion = Object.hasOwn(SUGGESTIONS, unknown) ? SUGGESTIONS[unknown] : undefined
  const hint =
    suggestion !== undefined && Object.hasOwn(known, suggestion) ? ` (did you mean ${suggestion}?)` : ''
  throw new TypeError(`${name} has no option "${unknown}"${hint}; it has ${Object.keys(known).join(', ')}`)
}

/** @throws {TypeError} if the contract is not a parsed document, but for example a file name */
export function requireDocument(contract: unknown): void {
  if (contract === undefined || (typeof contract === 'object' && contract !== null)) return
  throw new TypeError(`contract must be an object, a parsed OpenAPI document, got ${typeof contract}`)
}
