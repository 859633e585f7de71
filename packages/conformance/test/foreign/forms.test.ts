import { expect, test } from 'vitest'
import type { Service } from '../in-process-transport.ts'
import { judged } from './check-service.ts'
import { contractOf, json, object, response, statuses, taking } from './contract-service.ts'

const URL_ENCODED = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'

const person = {
  type: 'object',
  required: ['name', 'age'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 20 },
    age: { type: 'integer', minimum: 1, maximum: 120 },
    active: { type: 'boolean' },
    tags: { type: 'array', maxItems: 3, items: { enum: ['new', 'old'] } },
    address: object({ city: { type: 'string', minLength: 2 } }),
    picture: { type: 'string', contentMediaType: 'image/png' },
  },
  additionalProperties: false,
}

/** A contract that creates a person by a form of one media type, and another with a required file. */
function peopleOf(type: string): object {
  const { picture: _, ...properties } = person.properties
  const schema = type === MULTIPART ? person : { ...person, properties }
  const post = (operationId: string, content: object) => ({
    post: {
      operationId,
      requestBody: { required: true, content },
      responses: statuses({ 201: response(object({ id: { type: 'string' } })) }, 400, 415),
    },
  })
  const withFile = { ...person, required: ['picture'] }
  return contractOf({
    '/people': post('addPerson', { [type]: { schema } }),
    ...(type === MULTIPART && { '/pictures': post('addPicture', { [type]: { schema: withFile } }) }),
  })
}

interface Changes {
  /** A field that the service does not validate. */
  readonly careless?: string
}

/** Parses forms with the platform, and validates them by hand. */
function serviceOf(type: string, { careless = '' }: Changes = {}): Service {
  return async (request) => {
    if (new URL(request.url).pathname !== '/people') return json(404, { error: 'there is none' })
    if (request.method !== 'POST') return json(405, { error: 'not so' }, { allow: 'POST' })
    const got = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
    if (got !== type) return json(415, { error: 'another type, please' })
    const form = await request.formData().catch(() => new FormData())
    const wrong = [...new Set([...form.keys(), 'name', 'age'])].find(
      (name) => !isRight(name, form.getAll(name)),
    )
    const isRefused = wrong !== undefined && wrong !== careless
    return isRefused ? json(400, { error: 'invalid' }) : json(201, { id: '1' })
  }
}

const LENGTH: Readonly<Record<string, number>> = { tags: 3 }
const FORMS: Readonly<Record<string, (text: string) => boolean>> = {
  name: (text) => text !== '' && [...text].length <= 20,
  age: (text) => /^-?(0|[1-9]\d*)(\.0+)?$/.test(text) && Number(text) >= 1 && Number(text) <= 120,
  active: (text) => text === 'true' || text === 'false',
  tags: (text) => text === 'new' || text === 'old',
  address: (text) => isAddress(text),
}

function isRight(name: string, values: readonly unknown[]): boolean {
  const isMeant = FORMS[name]
  if (!isMeant || values.length === 0 || values.length > (LENGTH[name] ?? 1)) return false
  return values.every((it) => typeof it === 'string' && isMeant(it))
}

function isAddress(text: string): boolean {
  try {
    const { city } = JSON.parse(text)
    return typeof city === 'string' && [...city].length >= 2
  } catch {
    return false
  }
}

test.each([URL_ENCODED, MULTIPART])('sends valid and invalid bodies as %s', async (type) => {
  const { found, coverage, sent } = await judged(peopleOf(type), serviceOf(type))
  expect(found).toEqual([])
  const [people] = coverage.operations
  expect(people?.successes).toBeGreaterThan(10)
  const types = sent.map(({ headers }) => headers.get('content-type')?.split(';')[0])
  expect(types).not.toContain('application/json')
  const broken = coverage.keywords
    .filter((it) => it.refused > 0)
    .map(({ contract }) => contract.split('/schema/')[1])
  for (const place of [
    'required',
    'properties/name/minLength',
    'properties/name/maxLength',
    'properties/age/type',
    'properties/age/maximum',
    'properties/active/type',
    'properties/tags/maxItems',
    'properties/tags/items/enum',
    'properties/address/properties/city/minLength',
  ])
    expect(broken).toContain(place)
})

test.each([
  [URL_ENCODED, 'age'],
  [URL_ENCODED, 'address'],
  [MULTIPART, 'name'],
  [MULTIPART, 'tags'],
])('finds a service of %s that does not look at %s', async (type, careless) => {
  const { brokenRules } = await judged(peopleOf(type), serviceOf(type, { careless }))
  expect(brokenRules).toContain('break-refused addPerson')
})

test('finds a service that refuses a valid form', async () => {
  const right = serviceOf(URL_ENCODED)
  const service: Service = async (request) => {
    const text = request.method === 'POST' ? await request.clone().text() : ''
    return /active=true/.test(text) ? json(400, { error: 'invalid' }) : right(request)
  }
  const { brokenRules } = await judged(peopleOf(URL_ENCODED), service)
  expect(brokenRules).toContain('boundary-accepted addPerson')
})

test('sends no files', async () => {
  const { sent } = await judged(peopleOf(MULTIPART), serviceOf(MULTIPART))
  const texts = await Promise.all(sent.map((request) => request.text()))
  expect(texts.some((it) => it.includes('name="address"'))).toBe(true)
  expect(texts.some((it) => it.includes('picture'))).toBe(false)
  const posts = sent.filter(({ method }) => method === 'POST')
  expect(posts.map(({ url }) => new URL(url).pathname)).not.toContain('/pictures')
})

test('says why an operation that needs a file is not assessed', async () => {
  const { paths } = peopleOf(MULTIPART) as { paths: Record<string, object> }
  const contract = contractOf({ '/pictures': paths['/pictures'] })
  const { rule } = await judged(contract, serviceOf(MULTIPART), { only: ['example-accepted'] })
  expect(rule('example-accepted')).toMatchObject({
    status: 'not-assessed',
    reason: 'not sent: no value of its required "body" is known',
  })
})

test.each([true, false])('treats an empty form as a missing body, required: %s', async (required) => {
  const schema = object({ text: { type: 'string', maxLength: 9 } })
  const post = taking(
    { required, content: { [URL_ENCODED]: { schema } } },
    'addNote',
    { 200: response({}) },
    400,
  )
  const service: Service = async (request) => {
    if (request.method !== 'POST') return json(405, { error: 'not so' }, { allow: 'POST' })
    const form = new URLSearchParams(await request.text())
    const text = form.get('text')
    const isRight = form.size === 0 ? !required : text !== null && [...text].length <= 9
    return isRight ? json(200, {}) : json(400, { error: 'no' })
  }
  const contract = contractOf({ '/notes': { post } })
  const { found } = await judged(contract, service, { only: ['break-refused', 'boundary-accepted'] })
  expect(found).toEqual([])
  const careless: Service = async (request) => {
    const text = await request.clone().text()
    return request.method === 'POST' && text === '' ? json(200, {}) : service(request)
  }
  const { brokenRules } = await judged(contract, careless, { only: ['break-refused'] })
  expect(brokenRules).toEqual(required ? ['break-refused addNote'] : [])
})
