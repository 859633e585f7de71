import type { ReceivedResponse, SentRequest } from '../history.ts'

/** Sends a request to a service. Rejects if no response arrives. */
export type Transport = (request: SentRequest, signal: AbortSignal) => Promise<ReceivedResponse>

/** Milliseconds until the last byte of a response. */
const LONGEST = 10_000
/** Bytes of a response. */
const LARGEST = 2_000_000

/** A transport by `fetch`: to a base URL, or to a service in the same process. */
export function fetchTransport(
  fetch: (request: Request) => Promise<Response>,
  base = 'http://127.0.0.1',
): Transport {
  return async ({ method, path, headers, body }, signal) => {
    const request = new Request(base + path, {
      method,
      headers,
      body: body ?? null,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(LONGEST)]),
    })
    const response = await fetch(request)
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text: await textOf(response),
    }
  }
}

async function textOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    size += part.byteLength
    if (size > LARGEST) throw new Error(`the response has more than ${LARGEST} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}
