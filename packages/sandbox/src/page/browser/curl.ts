import type { Exchange, Header } from './state.ts'

/** Headers that curl sets itself. */
const OWN =
  /^(host|connection|content-length|transfer-encoding|accept-encoding|accept-language|user-agent|sec-.*|origin|referer|priority|cache-control|pragma|cookie)$/
const MASK = /•+/

/**
 * A curl command that repeats the request, with placeholders for credentials; undefined if the body is not available.
 */
export function curlOf({ method, path, query, request }: Exchange): string | undefined {
  const { headers, body } = request
  if (body?.is_cut) return undefined
  const data = body && body.bytes > 0 ? [`--data-raw ${withPlaceholders(quoted(body.text))}`] : []
  return [
    // Otherwise curl sends one request for each value of `[1-3]` or `{a,b}`.
    `curl --globoff --request ${method}`,
    ...headers.filter(([name]) => !OWN.test(name)).map(option),
    ...data,
    quoted(location.origin + path + query),
  ].join(' \\\n  ')
}

function option([name, value]: Header): string {
  if (name !== 'authorization') return `--header ${quoted(`${name}: ${value}`)}`
  return /^basic/i.test(value)
    ? '--user "$CLIENT_KEY:$CLIENT_SECRET"'
    : `--header "authorization: ${value.replace(MASK, '$ACCESS_TOKEN')}"`
}

/** Inserts a shell variable, named after the field, outside of the single quotes. */
function withPlaceholders(text: string): string {
  const variable = (_: string, name: string, colon: string) => `"${name}"${colon}"'"$${name.toUpperCase()}"'"`
  return text.replace(/"(\w+)"(\s*:\s*)"•+"/g, variable)
}

/** Quotes for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
