import { beforeAll, expect, it } from 'vitest'
import { checkHar } from '../../src/har.ts'
import { check } from '../../src/run.ts'
import { fetchTransport, type Transport } from '../../src/send/transport.ts'
import { type HarEntry, har } from '../recorded/session.ts'
import { openSandbox, other, partner } from '../service.ts'

const BASE = 'http://localhost'

/** A whole run on a right sandbox, as a recording that lacks nothing. */
const recording: HarEntry[] = []

beforeAll(async () => {
  const sandbox = await openSandbox()
  const send = fetchTransport(sandbox.fetch)
  const transport: Transport = async (request, signal) => {
    const began = performance.timeOrigin + performance.now()
    const response = await send(request, signal)
    const took = performance.timeOrigin + performance.now() - began
    recording.push({
      startedDateTime: began,
      time: took,
      request: {
        method: request.method,
        url: BASE + request.path,
        headers: [...listed(request.headers), ...lengthOf(request.body)],
        ...(request.body && { postData: { mimeType: '', text: request.body } }),
      },
      response: {
        status: response.status,
        headers: listed(response.headers),
        content: {
          mimeType: String(response.headers['content-type'] ?? ''),
          size: Buffer.byteLength(response.text),
          text: response.text,
        },
      },
    })
    return response
  }
  await check({ url: BASE, target: 'sandbox', credentials: partner, other, transport })
  await sandbox.close()
})

function listed(headers: Readonly<Record<string, unknown>>) {
  return Object.entries(headers).map(([name, value]) => ({ name, value: String(value) }))
}

/** Only a length says that there is no body. */
function lengthOf(body: string | undefined) {
  return body ? [] : [{ name: 'content-length', value: '0' }]
}

/** What may be missing of an entry. */
type Hide = (entry: HarEntry, random: () => number) => void

/** Redacts some of the strings. A status is no secret. */
function redact(text: string, random: () => number): string {
  return text.replaceAll(/("(\w+)":)"((?:[^"\\]|\\.)+)"/g, (whole, start, name) => {
    const isRedacted = name !== 'status' && random() < 0.3
    return isRedacted ? `${start}"[REDACTED]"` : whole
  })
}

function setHeader(headers: { name: string; value: string }[], name: string, value: string): void {
  for (const header of headers) if (header.name === name) header.value = value
}

const HIDES: Readonly<Record<string, Hide>> = {
  'bodies of requests': ({ request }) => {
    delete request.postData
    request.headers = request.headers.filter(({ name }) => name !== 'content-length')
  },
  'bodies of responses': ({ response }) => {
    if (response) response.content.text = ''
  },
  'values of requests': ({ request: { postData } }, random) => {
    if (postData) postData.text = redact(String(postData.text), random)
  },
  'values of responses': ({ response }, random) => {
    if (response)
      response.content = {
        ...response.content,
        size: -1,
        text: redact(String(response.content.text), random),
      }
  },
  'headers of requests': ({ request }) => setHeader(request.headers, 'authorization', 'Bearer ***'),
  'headers of responses': ({ response }) =>
    setHeader(response?.headers ?? [], 'x-request-id', '[REDACTED]'),
  'all headers': ({ request, response }) => {
    request.headers = []
    if (response) response.headers = []
  },
  ids: ({ request }) => {
    request.url = request.url.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, '[REDACTED]')
  },
  times: (entry) => {
    entry.startedDateTime = 'unknown'
  },
  responses: ({ response }) => {
    if (response) Object.assign(response, { status: 0, headers: [], content: { size: 0 } })
  },
  'entries of a cache': (entry) => {
    if (entry.request.method === 'GET') entry._fromCache = 'disk'
  },
}

/** The same numbers in each run, by the generator of Lehmer. */
function createRandom(): () => number {
  let state = 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

/** The recording, of whose entries some lack something. */
function hidden(hide: Hide, share: number): HarEntry[] {
  const random = createRandom()
  return structuredClone(recording).map((entry) => {
    const isControl = entry.request.url.includes('/_sandbox/')
    if (!isControl && random() < share) hide(entry, random)
    return entry
  })
}

it('finds nothing in the recording of a whole run on a right sandbox', () => {
  const { findings, requests } = checkHar(har(recording), {
    baseUrl: BASE,
    isComplete: true,
    requests: false,
  })
  expect(findings).toEqual([])
  expect(requests).toBeGreaterThan(2_000)
})

it('finds nothing where each exchange was recorded twice', () => {
  const twice = recording.flatMap((entry) => [entry, structuredClone(entry)])
  const { findings } = checkHar(har(twice), { baseUrl: BASE, isComplete: true, requests: false })
  expect(findings).toEqual([])
})

for (const [what, hide] of Object.entries(HIDES)) {
  it.each([0.3, 1])(`finds nothing where ${what} are unknown, of a share of %d`, (share) => {
    const options = { baseUrl: BASE, isComplete: true, requests: false }
    const { findings } = checkHar(har(hidden(hide, share)), options)
    expect(findings.map(({ message }) => message)).toEqual([])
  })
}
