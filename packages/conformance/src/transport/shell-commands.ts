import type { Piece } from './mask.ts'

/** What a command sends. */
interface CurlRequest {
  readonly method: string
  readonly headers: readonly { readonly name: string; readonly value: readonly Piece[] }[]
  readonly body: readonly Piece[] | undefined
  readonly url: readonly Piece[]
}

/** A command for a POSIX shell that sends a request; secrets are taken of variables. */
export function curlCommand({ method, headers, body, url }: CurlRequest): string {
  const named = headers.map(
    ({ name, value }) => `-H ${shellWord([{ text: `${name}: `, isName: false }, ...value])}`,
  )
  const data = body ? [`--data-raw ${shellWord(body)}`] : []
  // --path-as-is: curl would take dot segments out.
  return ['curl -sS -i --path-as-is', `-X ${method}`, ...named, ...data, shellWord(url)].join(' ')
}

/** One word of a shell: names of secrets are variables, and nothing else means anything. */
function shellWord(pieces: readonly Piece[]): string {
  const runs: Piece[] = []
  for (const it of pieces) {
    const last = runs.at(-1)
    if (last && !last.isName && !it.isName) runs[runs.length - 1] = { ...it, text: last.text + it.text }
    else runs.push(it)
  }
  return runs.map(({ text, isName }) => (isName ? `"${text}"` : quoted(text))).join('') || "''"
}

/** Text as one word of a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
