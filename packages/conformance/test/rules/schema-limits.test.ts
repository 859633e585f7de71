import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { HttpRequest } from '../../src/model/http.ts'
import { malformedTexts } from '../../src/rules/requests/body-format.ts'
import { parsed } from '../faulty/json.ts'
import { accepts, alters, bodyOf, type Fault, isSuccess, problem, reads, withBody } from './broken.ts'
import { found, runOf } from './in-process.ts'

const RULES = ['boundary-accepted', 'break-refused', 'body-format'] as const
type RuleId = (typeof RULES)[number]
const OPERATIONS = ['checkKey', 'createStaticQrCode', 'listImmediateQrCodes']
const runs = Object.fromEntries(RULES.map((rule) => [rule, runOf(rule, { operations: OPERATIONS })]))
const run = (rule: RuleId, fault?: Fault) => runs[rule]?.(fault)

/** Refuses some requests in the same way as invalid ones. */
function refuses(
  operation: string,
  isMeant: (request: HttpRequest) => boolean,
  code = 'invalid_request',
): Fault {
  return alters(operation, (response, request) => (isMeant(request) ? problem(400, code) : response))
}

/** Refuses each request of an operation from the first one that is meant. */
function refusesAfter(operation: string, isMeant: (request: HttpRequest) => boolean, code: string): Fault {
  let isClosed = false
  return alters(operation, (response, request) => {
    isClosed ||= isMeant(request)
    return isClosed ? problem(400, code) : response
  })
}

const isLong = (request: HttpRequest) => (bodyOf(request).message ?? '').length > 60

/** Accepts some invalid bodies. */
function reading(isMeant: (body: string) => boolean): Fault {
  return reads('checkKey', (request) => ({
    ...request,
    body: isMeant(request.body ?? '') ? '{"dict_key":"beltrana@example.com"}' : request.body,
  }))
}

/** Changes the body of a refusal. */
function refusing(change: (body: Record<string, unknown>) => object): Fault {
  return alters('checkKey', (response) => (isSuccess(response) ? response : withBody(response, change)))
}

const naming = (pointer: string) => refusing((body) => ({ ...body, errors: [{ pointer, code: 'type' }] }))

it.each<readonly [what: string, rule: RuleId, fault: Fault, line: string]>([
  [
    'a limit below the one of the schema',
    'boundary-accepted',
    refuses('createStaticQrCode', isLong),
    'deviation boundary-accepted createStaticQrCode',
  ],
  [
    'a parameter that is refused at its edge',
    'boundary-accepted',
    refuses('listImmediateQrCodes', ({ path }) => path.includes('limit=100')),
    'deviation boundary-accepted listImmediateQrCodes',
  ],
  [
    'the digits of another example as a number',
    'break-refused',
    accepts('checkKey', ({ dict_key }) => typeof dict_key === 'number' && dict_key > 1e9),
    'failure break-refused checkKey',
  ],
  [
    'a parameter that is accepted twice',
    'break-refused',
    accepts('listImmediateQrCodes', (_, { path }) => /status=.*status=/.test(path)),
    'deviation break-refused listImmediateQrCodes',
  ],
  [
    'a bound of a business rule that is not declared',
    'boundary-accepted',
    refuses('createStaticQrCode', isLong, 'message_refused'),
    'deviation boundary-accepted createStaticQrCode',
  ],
  [
    'a refusal that names no place',
    'break-refused',
    refusing(({ errors: _, ...body }) => body),
    'deviation break-refused checkKey',
  ],
  [
    'a refusal that names another place',
    'break-refused',
    naming('/other'),
    'deviation break-refused checkKey',
  ],
  [
    'a comma before the last brace',
    'body-format',
    reading((it) => /,\}$/.test(it)),
    'failure body-format checkKey',
  ],
  [
    'a body of any size',
    'body-format',
    reads('checkKey', (it) => ({ ...it, body: it.body?.trim() })),
    'deviation body-format checkKey',
  ],
  [
    'the first of two values of a field',
    'body-format',
    reads('checkKey', (it) => ({ ...it, body: it.body?.replace(/,"dict_key":7\}$/, '}') })),
    'deviation body-format checkKey',
  ],
])('finds %s', async (_, rule, fault, line) => {
  expect(await run(rule, fault)).toEqual(found(line))
})

it.each<[what: string, rule: RuleId, fault: Fault]>([
  [
    'a declared business rule that refuses with 400',
    'boundary-accepted',
    refuses('createStaticQrCode', isLong, 'invalid_charge'),
  ],
  [
    'an undeclared business rule that refuses the valid request too',
    'boundary-accepted',
    refusesAfter('createStaticQrCode', isLong, 'message_refused'),
  ],
  [
    'a cursor that nobody issued',
    'boundary-accepted',
    refuses('listImmediateQrCodes', ({ path }) => path.includes('cursor=')),
  ],
  ['a refusal that names what is inside the field', 'break-refused', naming('/dict_key/0')],
])('ignores %s', async (_, rule, fault) => {
  expect((await run(rule, fault))?.found).toEqual([])
})

const isJson = (text: string) => parsed(text) !== undefined

it('generates only malformed JSON for any accepted body', () => {
  for (const body of [{}, [], 12, 1.5, 'a', '', null, true, [[]], { a: {} }, undefined])
    expect([body, malformedTexts(body).filter((text) => isJson(text) || text === '')]).toEqual([body, []])
  fc.assert(fc.property(fc.jsonValue(), (body) => !malformedTexts(body).some(isJson)))
})

it('generates strings that are similar to the accepted body', () => {
  expect(malformedTexts({})).toEqual(expect.arrayContaining(['{,}', '{}}', '{} x']))
  expect(malformedTexts({ a: 1 })).toEqual(expect.arrayContaining(['{"a":1', '{"a":1,}', "{'a':1}"]))
})
