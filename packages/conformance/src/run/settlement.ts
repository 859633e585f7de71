import { nodeOf } from './document.ts'

/** What of the data of a transfer does not go with its status; undefined where all does. */
export function unsettled(data: unknown): string | undefined {
  const { status, settled_at, rejection_message } = nodeOf(data)
  const [isSettled, isRejected] = [status === 'settled', status === 'rejected']
  if ((settled_at !== '') !== isSettled)
    return `Expected settled_at of a transfer that is ${status} to be ${isSettled ? 'told' : 'empty'}.`
  return (rejection_message !== '') === isRejected
    ? undefined
    : `Expected rejection_message of a transfer that is ${status} to be ${isRejected ? 'told' : 'empty'}.`
}
