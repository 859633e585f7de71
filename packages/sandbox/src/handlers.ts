import { impersonate, signIn } from './auth/sign-in.ts'
import { checkCode } from './codes/check-code.ts'
import type { OperationId } from './contract.ts'
import type { Handler } from './handler.ts'
import { checkKey } from './keys.ts'
import { cancelDueDateQrCode, cancelImmediateQrCode } from './qrcodes/cancel.ts'
import { createDueDateQrCode, createImmediateQrCode, createStaticQrCode } from './qrcodes/create.ts'
import { listDueDateQrCodes, listImmediateQrCodes } from './qrcodes/list.ts'
import { createTransfer } from './transfers/create-transfer.ts'
import { getUser, listUsers } from './users.ts'
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from './webhooks.ts'

/** The handler of each operation. A missing one is a compile error. */
export const handlers: { readonly [Id in OperationId]: Handler<Id> } = {
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
