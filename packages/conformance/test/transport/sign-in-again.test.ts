import { createApp } from '@partner-payments/sandbox'
import { expect, onTestFinished, test } from 'vitest'
import type { HttpResponse } from '../../src/model/http.ts'
import type { Transport } from '../../src/transport/transport.ts'
import { checkInProcess, inProcess } from '../in-process-transport.ts'
import { problem, withHeader } from '../rules/broken.ts'

const credentials = { clientKey: 'partner', clientSecret: 'secret' }

async function opened(): Promise<Transport> {
  const sandbox = await createApp({ limitsRates: false })
  onTestFinished(() => sandbox.close())
  return inProcess(sandbox.fetch)
}

/** A service where every sign-in revokes the previous token. */
function oneToken(right: Transport): Transport {
  const known = new Set<string>()
  let current: string | undefined
  return {
    ...right,
    async send(call) {
      const { authorization = '' } = call.headers
      if (known.has(authorization) && authorization !== current) return refused
      const response = await right.send(call)
      if (call.path.endsWith('/auth/partner/token/') && response.status === 200) {
        current = `Bearer ${JSON.parse(response.text).access_token}`
        known.add(current)
      }
      return response
    },
  }
}

const refused: HttpResponse = withHeader(problem(401, 'invalid_token'), 'www-authenticate', 'Bearer')

test('signs in again if a token expires early', async () => {
  const transport = oneToken(await opened())
  const only = ['example-accepted']
  const { findings, rules } = await checkInProcess(transport, { credentials, only })
  expect(findings).toEqual([])
  expect(rules.find(({ rule }) => rule === 'example-accepted')?.status).toBe('passed')
})

test('stops signing in for an operation that refuses every token', async () => {
  const right = await opened()
  let count = 0
  const transport: Transport = {
    ...right,
    async send(call) {
      if (call.path.endsWith('/token/')) count++
      return call.path.endsWith('/partner/user') ? refused : right.send(call)
    },
  }
  const only = ['example-accepted', 'credentials-required', 'head-equals-get', 'break-refused']
  const { findings } = await checkInProcess(transport, { credentials, only, operations: ['listUsers'] })
  expect(findings.map(({ rule, operation }) => `${rule} ${operation}`)).toContain(
    'example-accepted listUsers',
  )
  expect(count).toBeLessThan(6)
})
