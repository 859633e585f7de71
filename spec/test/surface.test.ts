import { expect, it } from 'vitest'
import type { Node } from '../lint/marks.ts'
import { contract, guide, listOperations } from './contract.ts'

it('has the expected operations and statuses', () => {
  const operations = [
    ...listOperations(contract),
    ...listOperations(contract, 'webhooks'),
    ...listOperations(guide),
  ]
  const lines = operations.map(({ call, id, operation }) => {
    const statuses = Object.keys(operation.responses as Node)
    return `${call} -> ${id} -> ${statuses.join(' ')}`
  })
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "POST /mobile-bff/v1/auth/partner/token/ -> signIn -> 200 401 429 500 503
    POST /mobile-bff/v1/auth/partner/impersonate/ -> impersonate -> 200 400 401 403 404 413 415 429 500 503
    POST /mobile-bff/v1/pix/brcode/emv/ -> checkCode -> 200 400 401 413 415 422 429 500 503
    POST /mobile-bff/v1/pix/dict/check/ -> checkKey -> 200 400 401 404 413 415 422 429 500 503
    POST /mobile-bff/v1/pix/out/ -> createTransfer -> 201 400 401 409 413 415 422 429 500 503
    GET /mobile-bff/v1/pix/qrcode/dynamic/due-date -> listDueDateQrCodes -> 200 400 401 429 500 503
    POST /mobile-bff/v1/pix/qrcode/dynamic/due-date -> createDueDateQrCode -> 200 400 401 409 413 415 422 429 500 503
    DELETE /mobile-bff/v1/pix/qrcode/dynamic/due-date/{id} -> cancelDueDateQrCode -> 200 401 404 409 429 500 503
    GET /mobile-bff/v1/pix/qrcode/dynamic/immediate -> listImmediateQrCodes -> 200 400 401 429 500 503
    POST /mobile-bff/v1/pix/qrcode/dynamic/immediate -> createImmediateQrCode -> 200 400 401 409 413 415 422 429 500 503
    DELETE /mobile-bff/v1/pix/qrcode/dynamic/immediate/{id} -> cancelImmediateQrCode -> 200 401 404 409 429 500 503
    POST /mobile-bff/v1/pix/qrcode/static/ -> createStaticQrCode -> 200 400 401 413 415 422 429 500 503
    GET /mobile-bff/v1/partner/user -> listUsers -> 200 401 403 429 500 503
    GET /mobile-bff/v1/partner/user/{user_id} -> getUser -> 200 401 403 404 429 500 503
    POST /mobile-bff/v1/partner/webhook -> createWebhook -> 201 400 401 403 405 409 413 415 422 429 500 503
    GET /mobile-bff/v1/partner/webhook/ -> listWebhooks -> 200 401 403 405 429 500 503
    GET /mobile-bff/v1/partner/webhook/{webhook_id} -> getWebhook -> 200 401 403 404 429 500 503
    PATCH /mobile-bff/v1/partner/webhook/{webhook_id} -> updateWebhook -> 200 400 401 403 404 413 415 422 429 500 503
    DELETE /mobile-bff/v1/partner/webhook/{webhook_id} -> deleteWebhook -> 204 401 403 404 429 500 503
    PATCH /mobile-bff/v1/partner/webhook/{webhook_id}/secret -> rotateWebhookSecret -> 200 401 403 404 429 500 503
    POST transfer.settled -> onTransferSettled -> 2XX
    POST transfer.rejected -> onTransferRejected -> 2XX
    POST transfer.received -> onTransferReceived -> 2XX
    POST qrcode.paid -> onQrCodePaid -> 2XX
    POST qrcode.cancelled -> onQrCodeCancelled -> 2XX
    POST /partners/webhooks -> guideCreateWebhook -> 201 400 401 403 409 413 415 422 429 500 503
    GET /partners/webhooks -> guideListWebhooks -> 200 401 403 429 500 503
    POST /pix/brcode/emv -> guideCheckCode -> 200 400 401 413 415 422 429 500 503
    POST /pix/out -> guideCreateTransfer -> 201 400 401 409 413 415 422 429 500 503
    POST /pix/key -> guideCheckKey -> 200 400 401 404 413 415 422 429 500 503"
  `)
})
