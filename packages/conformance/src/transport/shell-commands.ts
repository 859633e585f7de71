import type { Contract } from '../model/contract.ts'
import type { OperationView } from '../model/operation-view.ts'
import { requestPath } from '../model/paths.ts'
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
  // curl would remove dot segments, and send one request for each value of `[1-3]` or `{a,b}`.
  return ['curl -sS -i --path-as-is --globoff', `-X ${method}`, ...named, ...data, shellWord(url)].join(' ')
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

/**
 * POSIX shell commands, one per line, that set the variables of the commands in findings. They read keys and
 * secrets from the environment. Undefined if the contract needs no key.
 *
 * @param hasOther Whether there is a second partner.
 */
export function signInCommands(
  { operations, signIn }: Pick<Contract, 'operations' | 'signIn'>,
  base: URL,
  hasOther = false,
): string | undefined {
  if (!operations.some(({ scheme }) => scheme === 'basic')) return undefined
  const prefixes = hasOther ? ['', 'OTHER_'] : ['']
  return prefixes
    .flatMap((it) => [credentialsBy(it), ...(signIn ? [tokenBy(it, signIn, base)] : [])])
    .join('\n')
}

function credentialsBy(prefix: string): string {
  const pair = prefix === '' ? '$CLIENT_KEY:$CLIENT_SECRET' : `$${prefix}KEY:$${prefix}SECRET`
  return `${prefix}CREDENTIALS=$(printf %s "${pair}" | base64 | tr -d '\\n')`
}

function tokenBy(prefix: string, view: OperationView, base: URL): string {
  const url = quoted(base.href.replace(/\/$/, '') + requestPath(view, {}))
  const asked = `curl -sS --globoff -X ${view.method} -H "authorization: Basic $${prefix}CREDENTIALS" ${url}`
  return `${prefix}TOKEN=$(${asked} | sed -n 's/.*"access_token" *: *"\\([^"]*\\)".*/\\1/p')`
}
