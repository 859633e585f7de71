import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { expect, expectTypeOf, test } from 'vitest'
import '../src/vitest.ts'

const headers = { 'content-type': 'application/json', 'x-request-id': 'req_1' }
/** The example response of listUsers; some fields can be changed. */
function users(other: object = {}): Response {
  const { value } = contract.components.examples.partnerUsers
  return Response.json({ ...value, ...other }, { headers })
}

test('it passes a valid response, and does not consume its body', async () => {
  const response = users()
  await expect(response).toConformTo('listUsers')
  expect(await response.json()).toHaveProperty('users')
})

test('it lists the violations', async () => {
  const asserted = expect(users({ users: 7 })).toConformTo('listUsers')
  await expect(asserted).rejects.toThrow(
    /^The response 200 does not conform to the contract of listUsers:\n- listUsers, responses-shape: \/users: expected array/,
  )
})

test('it names each missing property, up to a limit', async () => {
  const missing = expect(Response.json({}, { headers })).toConformTo('checkKey')
  await expect(missing).rejects.toThrow(
    /\n.*\/owner_name: expected a value, got nothing\.(.|\n)*\n.*\/ispb: exp/,
  )
  const many = Array.from({ length: 40 }, () => ({}))
  const asserted = expect(users({ users: many })).toConformTo('listUsers')
  await expect(asserted).rejects.toThrow(/(\n- .*){20}\n- and \d+ more$/)
})

test('it reports deviations from assumptions, unless strict is false', async () => {
  await expect(expect(users({ brand_new: 1 })).toConformTo('listUsers')).rejects.toThrow(
    'brand_new',
  )
  await expect(users({ brand_new: 1 })).toConformTo('listUsers', { strict: false })
  await expect(
    expect(users({ users: 7 })).toConformTo('listUsers', { strict: false }),
  ).rejects.toThrow('responses-shape')
})

test('it judges the bytes of JSON, and not U+FFFD, which is a character', async () => {
  const body = JSON.stringify(contract.components.examples.partnerUsers.value)
  const inUtf8 = new Response(body.replace('Fulano', 'Ful\uFFFDno'), { headers })
  await expect(inUtf8).toConformTo('listUsers')
  const inLatin1 = new Response(Buffer.from(body.replace('Fulano', 'Fulão'), 'latin1'), { headers })
  await expect(expect(inLatin1).toConformTo('listUsers')).rejects.toThrow(
    'Expected valid JSON in UTF-8, got bytes of another encoding.',
  )
})

test('it hides secrets in its messages', async () => {
  const token = {
    ...contract.components.examples.partnerTokens.value,
    expiration: 'hunter22-hunter22',
  }
  const response = Response.json({ ...token, access_token: 'hunter22-hunter22' }, { headers })
  const error: unknown = await expect(response)
    .toConformTo('signIn')
    .catch((reason: unknown) => reason)
  expect(String(error)).toContain('/expiration')
  expect(String(error)).not.toContain('hunter22')
})

test('it says why it cannot judge a response whose copy loses the body', async () => {
  const response = users()
  const feed = { pipe: () => undefined, readableEnded: false }
  Object.assign(response.body ?? {}, { [Symbol('node stream')]: feed })
  await expect(expect(response).toConformTo('listUsers')).rejects.toThrow(
    'happy-dom loses the body',
  )
})

test('it can be negated', async () => {
  await expect(users({ users: 7 })).not.toConformTo('listUsers')
  await expect(expect(users()).not.toConformTo('listUsers')).rejects.toThrow('was expected not to')
})

test('it uses a changed copy of the contract', async () => {
  const copy: { components: { schemas: Record<string, object> } } = structuredClone(contract)
  copy.components.schemas.KeyCheck = { type: 'string' }
  await expect(Response.json('pong', { headers })).toConformTo('checkKey', { contract: copy })
  await expect(
    expect(Response.json(1, { headers })).toConformTo('checkKey', { contract: copy }),
  ).rejects.toThrow('expected string, got integer')
})

test('it throws for a value that it cannot judge', async () => {
  const read = users()
  await read.text()
  await expect(expect(read).toConformTo('listUsers')).rejects.toThrow('hand over response.clone()')
  await expect(expect({ status: 200 }).toConformTo('listUsers')).rejects.toThrow(
    'expects a Response',
  )
  // @ts-expect-error: no operation of the contract has this id
  await expect(expect(users()).toConformTo('listUser')).rejects.toThrow('no operation "listUser"')
})

test('it is typed', () => {
  const matcher = expect(new Response()).toConformTo
  expectTypeOf(matcher).toBeCallableWith('checkKey')
  expectTypeOf(matcher).toBeCallableWith('checkKey', { strict: false })
  expectTypeOf(matcher).returns.toExtend<Promise<unknown>>()
  // @ts-expect-error: options are an object
  void (() => matcher('checkKey', true))
  // @ts-expect-error: an operation is needed
  void (() => matcher())
})
