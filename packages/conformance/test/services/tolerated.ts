import { gzipSync } from 'node:zlib'
import type { Call } from './call.ts'
import { isJson } from './json.ts'
import type { Plant } from './plant.ts'
import { bodyOf, problem, remade, withJson } from './responses.ts'
import { changeResponse, type Wrap } from './wrap.ts'

/** A correct service that differs from the sandbox. */
interface Variant extends Plant {
  readonly id: string
  /** One sentence: what it does. */
  readonly describe: string
  /** Whether the checker may report a deviation. Failures are never allowed. */
  readonly mayDeviate?: boolean
}

/** Milliseconds that the slow service adds to each response. */
const SLOWER = 30

/** Correct variants, for which the checker must not report a failure. */
export const tolerated: readonly Variant[] = [
  {
    id: 'extra-headers',
    describe: 'Responses have headers that the contract does not mention.',
    service: each((it) =>
      remade(it, { headers: { 'x-served-by': 'a', 'cache-control': 'no-store', vary: 'accept' } }),
    ),
  },
  {
    id: 'field-order',
    describe: 'The fields of responses have another order.',
    service: eachBody((body) => sorted(body)),
  },
  {
    id: 'charset-parameter',
    describe: 'The content-type of responses has a charset.',
    service: each((it) => remade(it, { headers: { 'content-type': withCharset(it) } })),
  },
  {
    id: 'media-type-in-capitals',
    describe: 'The content-type of responses is written in other letters.',
    service: each((it) =>
      remade(it, { headers: { 'content-type': typeOf(it)?.replace('json', 'JSON') ?? null } }),
    ),
  },
  {
    id: 'bad-id-answers-400',
    describe: 'An id that is malformed is refused with 400, not as one that is not there.',
    mayDeviate: true,
    service: each((it, { path }) =>
      it.status === 404 && Object.values(path).some(isMalformed) ? problem(400, 'invalid_request') : it,
    ),
  },
  {
    id: '401-instead-of-403',
    describe: 'A token of the wrong kind is refused with 401.',
    mayDeviate: true,
    service: each(async (it) => {
      if (it.status !== 403) return it
      return remade(problem(401, 'invalid_token'), { headers: { 'www-authenticate': 'Bearer' } })
    }),
  },
  {
    id: 'slower',
    describe: 'Each response takes 30 ms longer.',
    service: each(async (it) => {
      await new Promise((resolve) => setTimeout(resolve, SLOWER))
      return it
    }),
  },
  {
    id: 'pretty-printed',
    describe: 'JSON is written on many lines.',
    service: each(async (it) => {
      const body = await bodyOf(it)
      return body ? remade(it, { body: `${JSON.stringify(body, null, 2)}\n` }) : it
    }),
  },
  {
    id: 'extra-fields',
    describe: 'Responses have a field that the contract does not mention.',
    mayDeviate: true,
    service: eachBody((body) => ({ ...(body as object), api_version: '2026-11' })),
  },
  {
    id: 'request-id-of-another-form',
    describe: 'The x-request-id is a UUID, in the problem too.',
    service: each(async (it) => {
      const id = crypto.randomUUID()
      const named = await remade(it, { headers: { 'x-request-id': id } })
      const body = await bodyOf(named)
      return body && 'request_id' in body ? withJson(named, { ...body, request_id: id }) : named
    }),
  },
  {
    id: 'problems-of-few-words',
    describe: 'Problems have other words for people.',
    service: each(async (it) => {
      const body = it.status >= 400 ? await bodyOf(it) : undefined
      return body ? withJson(it, { ...body, title: 'Recusado', detail: 'Não.' }) : it
    }),
  },
  {
    id: 'limits-rates',
    describe: 'One request in twenty is asked to come again.',
    service: () => {
      let count = 0
      return async (call, next) => {
        if (++count % 20 !== 0) return next(call)
        return remade(problem(429, 'rate_limited'), { headers: { 'retry-after': '0' } })
      }
    },
  },
  {
    id: 'one-token-at-a-time',
    describe: 'A sign-in ends the token that was given before.',
    service: () => {
      const ended = new Set<string>()
      const current = new Map<string, string>()
      return async (call, next) => {
        const authorization = call.headers.get('authorization') ?? ''
        // The sign-in is not authorized by a token.
        if (call.operation !== 'signIn' && ended.has(authorization))
          return remade(problem(401, 'invalid_token'), { headers: { 'www-authenticate': 'Bearer' } })
        const response = await next(call)
        if (call.operation !== 'signIn' || !response.ok) return response
        const earlier = current.get(authorization)
        if (earlier !== undefined) ended.add(earlier)
        current.set(authorization, `Bearer ${(await bodyOf(response))?.access_token}`)
        return response
      }
    },
  },
  {
    id: 'delivers-twice',
    describe: 'Every delivery comes twice under one id, as at-least-once allows.',
    relay: async (posted, send) => {
      await send(posted)
      return send(posted)
    },
  },
  {
    id: 'coded-in-gzip',
    describe: 'Bodies are coded in gzip, unasked (RFC 9110, section 12.5.3).',
    service: each(async (it) => {
      const bytes = new Uint8Array(await it.clone().arrayBuffer())
      if (bytes.byteLength === 0) return it
      const named = await remade(it, { headers: { 'content-encoding': 'gzip' } })
      return new Response(gzipSync(bytes), named)
    }),
  },
  {
    id: 'realm-in-challenge',
    describe: 'The challenge of a 401 says more.',
    service: each((it) =>
      it.headers.get('www-authenticate') === 'Bearer'
        ? remade(it, { headers: { 'www-authenticate': 'Bearer realm="pix", error="invalid_token"' } })
        : it,
    ),
  },
]

/** Changes each response. */
function each(change: (response: Response, call: Call) => Response | Promise<Response>): Wrap {
  return changeResponse(undefined, change)
}

/** Changes the body of each success. */
function eachBody(change: (body: unknown) => unknown): Wrap {
  return each(async (response) => {
    const body = response.ok ? await bodyOf(response) : undefined
    return body ? withJson(response, change(body)) : response
  })
}

function typeOf({ headers }: Response): string | null {
  return headers.get('content-type')
}

function withCharset(response: Response): string | null {
  const type = typeOf(response)
  return type && `${type}; charset=utf-8`
}

function isMalformed(id: string): boolean {
  return !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)
}

/** The same value with the fields of all objects in reverse order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isJson(value)) return value
  const names = Object.keys(value).sort().reverse()
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]))
}
