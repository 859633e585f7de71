import { createMock } from '@partner-payments/mock'
import { expect, it } from 'vitest'
import { checkInProcess, inProcess } from '../in-process-transport.ts'

it('finds nothing on the mock', async () => {
  const { fetch } = await createMock()
  const credentials = { clientKey: 'partner', clientSecret: 'secret' }
  const { findings, coverage } = await checkInProcess(inProcess(fetch), { target: 'mock', credentials })
  expect(findings).toEqual([])
  expect(coverage.operations.filter(({ successes }) => successes === 0)).toEqual([])
})
