/** The base URL of the service in the recordings. */
export const BASE = 'http://127.0.0.1:4020'
const P = '/mobile-bff/v1'
/** Bytes of a body that is judged at all. */
export const MAX_BYTES = 2_000_000

/** Repeats a part of JSON as often as it fits into a body. */
export function repeat(part: (index: number) => string): string {
  const parts: string[] = []
  let length = 200
  for (let i = 0; length < MAX_BYTES; i++) {
    const text = part(i)
    length += text.length + 1
    if (length < MAX_BYTES) parts.push(text)
  }
  return parts.join()
}

export const fields = (part: (index: number) => string) => `{${repeat(part)}}`
export const OPERATIONS = [
  { title: 'a list', line: `GET ${P}/pix/qrcode/dynamic/immediate`, status: 200 },
  {
    title: 'the creation of a charge',
    line: `POST ${P}/pix/qrcode/dynamic/immediate`,
    status: 201,
  },
  { title: 'a refusal', line: `POST ${P}/pix/brcode/emv/`, status: 422 },
  { title: 'an unknown path', line: `POST ${P}/nothing`, status: 200 },
] as const

/** A recording of one exchange. */
export function record({ line, status }: (typeof OPERATIONS)[number], sent: string, shown: string) {
  const [method = '', path = ''] = line.split(' ')
  const type = { name: 'content-type', value: 'application/json' }
  const authorization = { name: 'authorization', value: 'Bearer t' }
  const postData = { mimeType: 'application/json', text: sent }
  const request = { method, url: BASE + path, headers: [type, authorization], postData }
  const response = {
    status,
    headers: [type],
    content: { mimeType: 'application/json', text: shown },
  }
  return {
    log: { entries: [{ request, response, startedDateTime: '2026-11-29T12:00:00Z', time: 1 }] },
  }
}
