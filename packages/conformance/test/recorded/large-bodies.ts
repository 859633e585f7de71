import { BASE, har } from './session.ts'

const PREFIX = '/mobile-bff/v1'
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

/** An object with as many fields as fit into a body. */
export const fields = (part: (index: number) => string) => `{${repeat(part)}}`

/** Requests whose bodies the checker reads in different ways, and one that it does not know. */
export const OPERATIONS = [
  { title: 'a list', line: `GET ${PREFIX}/pix/qrcode/dynamic/immediate`, status: 200 },
  {
    title: 'the creation of a charge',
    line: `POST ${PREFIX}/pix/qrcode/dynamic/immediate`,
    status: 200,
  },
  { title: 'a refusal', line: `POST ${PREFIX}/pix/brcode/emv/`, status: 422 },
  { title: 'an unknown path', line: `POST ${PREFIX}/nothing`, status: 200 },
] as const

/** What a recorded request asks for, and the status of its response. */
interface RecordedOperation {
  /** Such as `GET /webhooks`. */
  readonly line: string
  readonly status: number
}

/** A recording of one exchange. */
export function record({ line, status }: RecordedOperation, sent: string, shown: string) {
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
  return har([{ request, response, startedDateTime: '2026-11-29T12:00:00Z', time: 1 }])
}
