import type { DocsPages } from '../../docs-pages.ts'
import type { Sandbox } from '../../sandbox.ts'
import { clockOf } from '../clock.ts'
import type { Faults } from '../faults/faults.ts'
import type { Recorder } from '../recorder.ts'
import { accountsOf } from './accounts.ts'
import { qrCodesOf } from './qrcodes.ts'
import { requestsOf } from './requests.ts'
import { transfersOf } from './transfers.ts'
import { webhooksOf } from './webhooks.ts'

export type State = Awaited<ReturnType<typeof stateOf>>

export interface StateSources {
  readonly sandbox: Sandbox
  readonly recorder: Recorder
  readonly faults: Faults
  /** Where the state is stored. */
  readonly storage: 'memory' | 'file' | 'postgres'
  /** Null if the sandbox does not know its docs. */
  readonly docs: DocsPages | null
}

/** Everything the page shows, in one response: the newest items of each kind, without secrets. */
export function stateOf({ sandbox: { clock, store }, recorder, faults, storage, docs }: StateSources) {
  return store.read(async (queries) => ({
    clock: clockOf(clock),
    storage,
    docs: docs && { home: docs.home, form: docs.form },
    faults: faults.rules.list(),
    accounts: await accountsOf(queries),
    transfers: await transfersOf(queries),
    qrcodes: await qrCodesOf(queries),
    webhooks: await webhooksOf(queries),
    requests: requestsOf(recorder.last()),
  }))
}
