import { expect, test } from 'vitest'
import type { Service } from '../in-process-transport.ts'
import { judged } from './check-service.ts'
import {
  bodyOf,
  contractOf,
  createContractService,
  json,
  object,
  operation,
  response,
  taking,
} from './contract-service.ts'

const note = object({ text: { type: 'string', minLength: 1, maxLength: 20 } })
const PATCH = 'application/merge-patch+json'
const HAL = 'application/hal+json'
const hal = { 200: { description: 'A note.', content: { [HAL]: { schema: note } } } }

const notes = contractOf({
  '/note': {
    get: operation('readNote', hal, 406),
    patch: taking(bodyOf(note, { text: 'Buy bread' }, PATCH), 'changeNote', hal, 400, 406, 415),
  },
  '/api-note': {
    put: taking(
      bodyOf(note, { text: 'Buy bread' }, 'application/vnd.api+json'),
      'putNote',
      { 200: response(note) },
      400,
      415,
    ),
  },
  // The body is optional.
  '/draft': {
    post: taking(
      { content: { 'application/json': { schema: note } } },
      'draft',
      { 200: response(note) },
      400,
      415,
    ),
  },
  '/picture': {
    post: taking(
      { required: true, content: { 'image/png': {} } },
      'picture',
      { 200: response(note) },
      400,
      415,
    ),
  },
  '/form': {
    post: taking(
      { content: { 'application/x-www-form-urlencoded': { schema: note } } },
      'form',
      { 200: response(note) },
      400,
      415,
    ),
  },
})

const TYPES: Readonly<Record<string, string>> = {
  '/note': PATCH,
  '/api-note': 'application/vnd.api+json',
  '/draft': 'application/json',
  '/form': 'application/x-www-form-urlencoded',
}

/** Accepts exactly the media types of the contract. */
function strictly(changes: { readonly takes?: RegExp } = {}): Service {
  const shown = (type: string) => () => json(200, { text: 'Buy bread' }, { 'content-type': type })
  const service = createContractService(
    notes,
    {
      readNote: shown(HAL),
      changeNote: shown(HAL),
      putNote: shown('application/json'),
      draft: shown('application/json'),
      form: shown('application/json'),
    },
    { takes: /./, ...changes },
  )
  return async (request) => {
    const { pathname } = new URL(request.url)
    const type = request.headers.get('content-type')?.split(';')[0]?.toLowerCase()
    const hasBody = (await request.clone().text()) !== ''
    const isKnown = /^(GET|HEAD)$/.test(request.method) || !hasBody || type === TYPES[pathname]
    if (TYPES[pathname] && !isKnown) return json(415, { error: 'another type, please' })
    const accept = request.headers.get('accept') ?? '*/*'
    if (pathname === '/note' && /^(GET|HEAD|PATCH)$/.test(request.method) && !/hal\+json|\*\/\*/.test(accept))
      return json(406, { error: 'only HAL' })
    return service(request)
  }
}

test('sends bodies as the media type of the contract, and accepts those of its responses', async () => {
  const { found, unseen, sent } = await judged(notes, strictly())
  expect({ found, unseen }).toEqual({ found: [], unseen: ['picture'] })
  const changes = sent.filter(({ method }) => method === 'PATCH')
  expect(changes.map(({ headers }) => headers.get('content-type'))).toContain(PATCH)
  const posts = sent.filter(({ method }) => method === 'POST').map(({ url }) => new URL(url).pathname)
  expect(posts).not.toContain('/picture')
})

test('says why an operation whose body is neither JSON nor a form is not assessed', async () => {
  const { rule } = await judged(contractOf({ '/picture': pathOf('/picture') }), strictly(), {
    only: ['example-accepted'],
  })
  expect(rule('example-accepted')).toMatchObject({
    status: 'not-assessed',
    reason: 'not sent: its body is neither JSON nor a form with a schema',
  })
})

function pathOf(path: string): unknown {
  return (notes as { paths: Record<string, unknown> }).paths[path]
}

test('finds a service that accepts any media type', async () => {
  const right = strictly()
  const lenient: Service = async (request) => {
    const { pathname } = new URL(request.url)
    const headers = new Headers(request.headers)
    if (pathname === '/note' && request.method === 'PATCH') headers.set('content-type', PATCH)
    return right(new Request(request, { headers }))
  }
  const { brokenRules } = await judged(notes, lenient)
  expect(brokenRules).toEqual(['body-format changeNote'])
})

test('finds a service that refuses the declared media type', async () => {
  const right = strictly()
  const json415: Service = async (request) =>
    new URL(request.url).pathname === '/api-note' && request.method === 'PUT'
      ? json(415, { error: 'plain JSON, please' })
      : right(request)
  const { brokenRules } = await judged(notes, json415)
  expect(brokenRules).toContain('example-accepted putNote')
})

test('finds a service that refuses an optional body that is valid', async () => {
  const right = strictly()
  const refusing: Service = async (request) => {
    const isDraft = new URL(request.url).pathname === '/draft' && request.method === 'POST'
    return isDraft && (await request.clone().text()) !== '' ? json(400, { error: 'no' }) : right(request)
  }
  const { brokenRules } = await judged(notes, refusing)
  expect(brokenRules).toContain('example-accepted draft')
})
