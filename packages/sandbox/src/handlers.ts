import { impersonate } from './auth/impersonate.ts'
import { signIn } from './auth/sign-in.ts'
import { checkCode } from './codes/check-code.ts'
import type { OperationId } from './contract.ts'
import type { Handler } from './handler.ts'
import { checkKey } from './keys/check-key.ts'
import { cancelDueDateQrCode } from './qrcodes/cancel-due-date-qr-code.ts'
import { cancelImmediateQrCode } from './qrcodes/cancel-immediate-qr-code.ts'
import { createDueDateQrCode } from './qrcodes/create-due-date-qr-code.ts'
import { createImmediateQrCode } from './qrcodes/create-immediate-qr-code.ts'
import { createStaticQrCode } from './qrcodes/create-static-qr-code.ts'
import { listDueDateQrCodes } from './qrcodes/list-due-date-qr-codes.ts'
import { listImmediateQrCodes } from './qrcodes/list-immediate-qr-codes.ts'
import { createTransfer } from './transfers/create-transfer.ts'
import { getUser } from './users/get-user.ts'
import { listUsers } from './users/list-users.ts'
import { createWebhook } from './webhooks/create-webhook.ts'
import { deleteWebhook } from './webhooks/delete-webhook.ts'
import { getWebhook } from './webhooks/get-webhook.ts'
import { listWebhooks } from './webhooks/list-webhooks.ts'
import { rotateWebhookSecret } from './webhooks/rotate-webhook-secret.ts'
import { updateWebhook } from './webhooks/update-webhook.ts'

export type Handlers = { readonly [Id in OperationId]: Handler<Id> }

/** The handler of each operation. A missing one is a compile error. */
export const handlers: Handlers = {
  signIn,
  impersonate,
  checkCode,
  checkKey,
  createTransfer,
  listDueDateQrCodes,
  createDueDateQrCode,
  cancelDueDateQrCode,
  listImmediateQrCodes,
  createImmediateQrCode,
  cancelImmediateQrCode,
  createStaticQrCode,
  listUsers,
  getUser,
  createWebhook,
  listWebhooks,
  getWebhook,
  updateWebhook,
  rotateWebhookSecret,
  deleteWebhook,
}
