import { spawn } from 'node:child_process'
import { serve } from '@partner-payments/sandbox'
import { expect, it, onTestFinished } from 'vitest'
import { check } from '../../../src/check.ts'

/** Processes that compute without a break, as many as the machine in CI has cores. */
function keepBusy(count: number): void {
  const loops = Array.from({ length: count }, () => spawn(process.execPath, ['-e', 'for (;;);']))
  onTestFinished(() => {
    for (const loop of loops) loop.kill('SIGKILL')
  })
}

it('finds nothing on the sandbox beside two busy loops', async () => {
  keepBusy(2)
  const { url, close } = await serve({ port: 0, allowLoopback: true, limitsRates: false })
  onTestFinished(() => close())
  const credentials = { clientKey: 'partner', clientSecret: 'secret' }
  const { findings } = await check({ url, target: 'sandbox', credentials })
  expect(findings).toEqual([])
})
