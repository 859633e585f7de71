import type { Evidence } from '../result.ts'
import { type Exchange, headerOf } from './exchange.ts'
import type { Mask } from './mask.ts'

/** Characters of a body that a report shows. */
const SHOWN = 2_000

/** An exchange as a report shows it. */
export function evidenceOf({ call, reply }: Exchange, base: string, mask: Mask): Evidence {
  const requestId = headerOf(reply.headers, 'x-request-id')
  return {
    curl: mask.text(curlOf(call, base)),
    method: call.method,
    path: mask.text(call.path),
    status: reply.status === 0 ? undefined : reply.status,
    request: mask.text((call.body ?? '').slice(0, SHOWN)),
    response: mask.text(reply.text.slice(0, SHOWN)),
    requestId,
  }
}

function curlOf({ method, path, headers, body }: Exchange['call'], base: string): string {
  const named = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
  const data = body === undefined ? [] : [`--data-raw ${quoted(body.slice(0, SHOWN))}`]
  const url = quoted(base.replace(/\/$/, '') + path)
  // --path-as-is: curl would take dot segments out.
  return ['curl -sS -i --path-as-is', `-X ${method}`, ...named, ...data, url].join(' ')
}

/** As one word of a shell; what begins with a $ of ours is left to be replaced. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
