import { serve } from '@partner-payments/sandbox'
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { createMutatingTransport, type MechanicalFault, readContract, type Transport } from '../src/index.ts'
import { serveTransport } from '../src/mutation/fault-proxy.ts'
import { createHttpTransport } from '../src/transport/transport.ts'
import type { Target } from './peers.ts'

/** A sandbox over HTTP, without limits of rates. */
export function startSandbox() {
  return serve({ port: 0, allowLoopback: true, limitsRates: false })
}

/** A service in which one fault after the other can be planted. */
export async function startTarget(): Promise<Target & { close(): Promise<void> }> {
  const sandbox = await startSandbox()
  const right = createHttpTransport(new URL(sandbox.url))
  let current: Transport = right
  const proxy = await serveTransport({ send: (call) => current.send(call), close: () => right.close() })
  return {
    url: proxy.url,
    plant(fault: MechanicalFault | undefined) {
      current = fault ? createMutatingTransport(readContract(contract), right, fault) : right
    },
    async close() {
      await proxy.close()
      await sandbox.close()
    },
  }
}
