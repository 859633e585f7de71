import { createApp } from '@partner-payments/sandbox'
import { expect, it, onTestFinished } from 'vitest'
import { CannotRun } from '../../src/model/errors.ts'
import type { HttpResponse } from '../../src/model/http.ts'
import { checkInProcess, inProcess } from '../in-process-transport.ts'
import { alters, withHeader } from '../rules/broken.ts'
import { openSandbox } from '../rules/in-process.ts'

const run = openSandbox()

it.each<[what: string, rule: string, edit: (response: HttpResponse) => HttpResponse]>([
  [
    'no access_token',
    'response-schema',
    (it) => ({ ...it, text: it.text.replace('"access_token"', '"other"') }),
  ],
  [
    'null as its access_token',
    'response-schema',
    (it) => ({ ...it, text: it.text.replace(/("access_token":)"[^"]*"/, '$1null') }),
  ],
  ['half of its body', 'valid-json', (it) => ({ ...it, text: it.text.slice(0, it.text.length / 2) })],
  ['another media type', 'response-media-type', (it) => withHeader(it, 'content-type', 'text/html')],
])('reports a sign-in that returns %s, though nothing else can be sent', async (_, rule, edit) => {
  const { findings } = await run(rule, {}, alters('signIn', edit))
  expect(findings.map((it) => `${it.rule} ${it.operation}`)).toContain(`${rule} signIn`)
})

it('cannot run if the credentials are refused', async () => {
  const sandbox = await createApp()
  onTestFinished(() => sandbox.close())
  const credentials = { clientKey: 'partner', clientSecret: 'wrong' }
  await expect(checkInProcess(inProcess(sandbox.fetch), { credentials })).rejects.toThrow(CannotRun)
})
