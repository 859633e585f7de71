import type { Call } from './call.ts'
import type { Json } from './json.ts'

/** The body of a call, where the first of several fields with the same name counts, in the outermost object. */
export function firstWins({ bytes, json }: Call): Json {
  const text = new TextDecoder().decode(bytes)
  const first = new Map<string, unknown>()
  for (const [name, value] of fieldsOf(text)) if (!first.has(name)) first.set(name, value)
  return { ...json, ...Object.fromEntries(first) }
}

/** The outermost fields of a JSON object, in order. */
function fieldsOf(text: string): [name: string, value: unknown][] {
  const cuts = [text.indexOf('{'), ...commasOf(text), text.lastIndexOf('}')]
  const parts = cuts.slice(1).map((end, i) => text.slice((cuts[i] ?? 0) + 1, end))
  return parts.filter((part) => part.trim()).flatMap((part) => Object.entries(JSON.parse(`{${part}}`)))
}

/** The positions of the commas between the outermost fields, outside of strings, arrays and other objects. */
function commasOf(text: string): number[] {
  const found: number[] = []
  let depth = 0
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},]/g)) {
    if (token === '{' || token === '[') depth++
    else if (token === '}' || token === ']') depth--
    else if (token === ',' && depth === 1) found.push(index)
  }
  return found
}
