import { expect, it } from 'vitest'
import { check } from '../../src/check.ts'
import { CannotRun } from '../../src/model/errors.ts'
import type { HttpResponse } from '../../src/model/http.ts'
import { configuration, edited, openService } from '../in-process-sandbox.ts'

const ROWS: readonly [string, string, (response: HttpResponse) => Partial<HttpResponse>][] = [
  ['no access_token', 'response-schema', ({ text }) => ({ text: text.replace('"access_token"', '"other"') })],
  [
    'null as its access_token',
    'response-schema',
    ({ text }) => ({ text: text.replace(/("access_token":)"[^"]*"/, '$1null') }),
  ],
  ['half of its body', 'valid-json', ({ text }) => ({ text: text.slice(0, text.length / 2) })],
  [
    'another media type',
    'response-media-type',
    ({ headers }) => ({ headers: { ...headers, 'content-type': 'text/html' } }),
  ],
]

it.each(ROWS)('reports a sign-in that returns %s, though nothing else can be sent', async (_, rule, edit) => {
  const { transport, close } = await openService()
  const signIn = edited(transport, ({ path }) => path.endsWith('/auth/partner/token/'), edit)
  const { findings } = await check({ ...configuration, transport: signIn })
  await close()
  expect(findings.map((it) => `${it.rule} ${it.operation}`)).toContain(`${rule} signIn`)
})

it('cannot run if the credentials are refused', async () => {
  const { transport, close } = await openService()
  const credentials = { clientKey: 'partner', clientSecret: 'wrong' }
  await expect(check({ ...configuration, credentials, transport })).rejects.toThrow(CannotRun)
  await close()
})
