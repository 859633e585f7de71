import type { Sandbox } from '../../sandbox.ts'
import { clockOf } from '../clock.ts'
import type { Recorder } from '../recorder.ts'
import { accountsOf } from './accounts.ts'
import { qrCodesOf } from './qrcodes.ts'
import { requestsOf } from './requests.ts'
import { transfersOf } from './transfers.ts'
import { webhooksOf } from './webhooks.ts'

export type State = Awaited<ReturnType<typeof stateOf>>

/** All that a person looks at, in one answer: the newest of each kind, and never a secret. */
export function stateOf({ clock, store }: Sandbox, recorder: Recorder) {
  return store.read(async (queries) => ({
    clock: clockOf(clock),
    backend: store.backend,
    accounts: await accountsOf(queries),
    transfers: await transfersOf(queries),
    qrcodes: await qrCodesOf(queries),
    webhooks: await webhooksOf(queries),
    requests: requestsOf(recorder.last()),
  }))
}
