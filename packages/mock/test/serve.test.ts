import { expect, it } from 'vitest'
import { createMock, serve } from '../src/index.ts'
import { call, copyOfContract, operation } from './contract.ts'

it('does not modify the contract', async () => {
  const contract = copyOfContract()
  await createMock({ contract })
  expect(contract).toEqual(copyOfContract())
})

it('serves another contract after a reload, on the same connection', async () => {
  await using mock = await started()
  const contract = copyOfContract()
  Object.assign(contract.components.examples.emailKey?.value ?? {}, {
    owner_name: 'Sicrana de Tal',
  })
  await mock.reload(contract)
  expect(await (await call(mock, operation('checkKey'))).json()).toMatchObject({
    owner_name: 'Sicrana de Tal',
  })
})

it('says in every response that it is a mock, as evidence of it is none of a service', async () => {
  await using mock = await started()
  const { headers } = await call(mock, operation('checkKey'))
  expect(headers.get('server')).toMatch(/^partner-payments-mock\/\d+\.\d+\.\d+$/)
})

it('refuses two documents that describe the same operation', async () => {
  const contract = [copyOfContract(), copyOfContract()]
  await expect(createMock({ contract })).rejects.toThrow(
    'two documents describe POST /mobile-bff/v1/auth/partner/token/; leave one of them out',
  )
})

it('keeps the old contract if the new one is invalid', async () => {
  await using mock = await started()
  await expect(mock.reload({ swagger: 'no' })).rejects.toThrow()
  expect((await call(mock, operation('checkKey'))).status).toBe(200)
})

it('says that it is a mock, and no sandbox', async () => {
  await using mock = await started()
  const about = await fetch(`${mock.url}/_mock/about`)
  expect(await about.json()).toMatchObject({ service: 'partner-payments-mock' })
  for (const path of ['/_sandbox/about', '/_sandbox/clock', '/_sandbox/'])
    expect((await fetch(mock.url + path)).status).toBe(404)
})

it('says whether it issued a token', async () => {
  await using mock = await started()
  const signIn = await fetch(`${mock.url}/mobile-bff/v1/auth/partner/token/`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('any:any')}` },
  })
  const { access_token } = (await signIn.json()) as { access_token: string }
  for (const { token, issued_token } of [
    { token: access_token, issued_token: true },
    { token: 'another', issued_token: false },
  ] as const) {
    const headers = { authorization: `Bearer ${token}` }
    const about = await fetch(`${mock.url}/_mock/about`, { headers })
    expect(await about.json()).toMatchObject({ issued_token })
  }
})

async function started() {
  const mock = await serve({ port: 0 })
  return {
    ...mock,
    fetch: (request: Request) =>
      fetch(new Request(request.url.replace('http://mock', mock.url), request)),
    [Symbol.asyncDispose]: () => mock.close(),
  }
}
