/**
 * The examples of the contract, typed by it. Each access returns a new copy, so a test can change it without affecting
 * other tests. A bundler keeps only the operations that are used.
 *
 * @example
 * import * as fixtures from '@partner-payments/client/fixtures'
 *
 * const settled = { ...fixtures.createTransfer.response[201].payKey, id: crypto.randomUUID() }
 * const problem = fixtures.createTransfer.response[409].initiationUsed
 * const delivered = fixtures.onTransferSettled.request.transferSettled
 */
export {
  cancelDueDateQrCode,
  cancelImmediateQrCode,
  checkCode,
  checkKey,
  createDueDateQrCode,
  createImmediateQrCode,
  createStaticQrCode,
  createTransfer,
  createWebhook,
  deleteWebhook,
  getUser,
  getWebhook,
  guideCheckCode,
  guideCheckKey,
  guideCreateTransfer,
  guideCreateWebhook,
  guideListWebhooks,
  impersonate,
  listDueDateQrCodes,
  listImmediateQrCodes,
  listUsers,
  listWebhooks,
  onQrCodeCancelled,
  onQrCodePaid,
  onTransferRejected,
  onTransferSettled,
  rotateWebhookSecret,
  signIn,
  updateWebhook,
} from './generated/fixtures.ts'
