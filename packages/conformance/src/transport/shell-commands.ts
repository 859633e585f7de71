import type { Piece } from './mask.ts'

interface CurlRequest {
  readonly method: string
  readonly headers: readonly { readonly name: string; readonly value: readonly Piece[] }[]
  readonly body: readonly Piece[] | undefined
  readonly url: readonly Piece[]
}

/** A POSIX shell command that sends a request, with secrets as variables. */
export function curlCommand({ method, headers, body, url }: CurlRequest): string {
  const named = headers.map(
    ({ name, value }) => `-H ${shellWord([{ text: `${name}: `, isName: false }, ...value])}`,
  )
  const data = body ? [`--data-raw ${shellWord(body)}`] : []
  // --path-as-is prevents curl from removing dot segments.
  return ['curl -sS -i --path-as-is', `-X ${method}`, ...named, ...data, shellWord(url)].join(' ')
}

/** A shell word in which only variables of secrets are expanded. */
function shellWord(pieces: readonly Piece[]): string {
  const runs: Piece[] = []
  for (const it of pieces) {
    const last = runs.at(-1)
    if (last && !last.isName && !it.isName) runs[runs.length - 1] = { ...it, text: last.text + it.text }
    else runs.push(it)
  }
  return runs.map(({ text, isName }) => (isName ? `"${text}"` : quoted(text))).join('') || "''"
}

/** Quotes text as one shell word. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
