import type { PlanContext } from './plan.ts'

/**
 * The operations on the records that plans create, written out so that a search for one finds the
 * plans that send it.
 */
export const WEBHOOKS = [
  'createWebhook',
  'listWebhooks',
  'getWebhook',
  'updateWebhook',
  'deleteWebhook',
  'rotateWebhookSecret',
]

export const USERS = ['listUsers', 'getUser']

/** The operations on one kind of QR codes that have a list and an end. */
export interface CodeKind {
  readonly create: string
  readonly list: string
  readonly cancel: string
}

export const IMMEDIATE_CODES: CodeKind = {
  create: 'createImmediateQrCode',
  list: 'listImmediateQrCodes',
  cancel: 'cancelImmediateQrCode',
}

export const DUE_DATE_CODES: CodeKind = {
  create: 'createDueDateQrCode',
  list: 'listDueDateQrCodes',
  cancel: 'cancelDueDateQrCode',
}

export const CODE_KINDS: readonly CodeKind[] = [IMMEDIATE_CODES, DUE_DATE_CODES]

/** The other kind of codes that have a list and an end. */
export function otherKind(kind: CodeKind): CodeKind {
  return kind === IMMEDIATE_CODES ? DUE_DATE_CODES : IMMEDIATE_CODES
}

/** Whether an operation on a kind of QR codes is checked. */
export function isKindChosen(context: PlanContext, { create, list, cancel }: CodeKind): boolean {
  return isAnyChosen(context, [create, list, cancel])
}

/** Whether one of these operations is in the contract, and checked. */
export function isAnyChosen(
  { contract, isChosen }: PlanContext,
  operations: readonly string[],
): boolean {
  return contract.operations.some(({ id }) => operations.includes(id) && isChosen(id))
}
