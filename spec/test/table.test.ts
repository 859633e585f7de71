import { readContract } from '@partner-payments/contract'
import { expect, it } from 'vitest'
import type { Behaviour } from '../dist/behaviour.d.ts'
import behaviour from '../dist/behaviour.json' with { type: 'json' }
import guide from '../dist/guide.json' with { type: 'json' }
import document from '../dist/openapi.json' with { type: 'json' }

const { operations } = readContract({
  document,
  guide,
  behaviour: behaviour as Behaviour,
})

it('knows where the id in every path comes from', () => {
  const unknown = operations.filter(({ parameters, origins }) => {
    const inPath = parameters.filter((parameter) => parameter.in === 'path')
    const values = origins.flatMap((origin) => origin.values)
    return !inPath.every(({ name }) => values.some((value) => value.name === name))
  })
  expect(unknown.map(({ id }) => id)).toEqual([])
})

it('has a field to print of every response with a body', () => {
  const silent = operations.filter(({ success, printed }) => success.body && printed.length === 0)
  expect(silent.map(({ id }) => id)).toEqual([])
})

it('has the expected roles, places of records and sources of values', () => {
  const lines = operations.map((operation) => {
    const { id, tag, name, resource = 'no record', role, tokens, record, origins } = operation
    const sources = origins.flatMap(({ from, values }) =>
      values.map((value) => `${value.name} from ${from}#${value.pointer}`),
    )
    const place = record ? `${resource} at "${record.pointer}"` : resource
    const facts = [`${tag}.${name}`, `${role} ${place}`, tokens.join(' ') || 'no token', ...sources]
    return `${id}: ${facts.join(', ')}`
  })
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "signIn: auth.signIn, signIn no record, no token
    impersonate: auth.impersonate, impersonate user, partner, customer_id from getUser#/customers/0/id, user_id from getUser#/user/id
    checkCode: codes.check, check no record, partner customer, emv from createDueDateQrCode#/emv, emv from createImmediateQrCode#/emv, emv from createStaticQrCode#/emv
    checkKey: keys.check, check no record, partner customer
    createTransfer: transfers.create, create transfer at "/data", partner customer, emv from checkCode#/emv, amount from checkCode#/final_amount, dict_key from checkKey#/dict_key, initiation_id from checkKey#/initiation_id
    listDueDateQrCodes: qrcodes.listDueDate, list dueDateQrCode at "/data", partner customer
    createDueDateQrCode: qrcodes.createDueDate, create dueDateQrCode at "", partner customer
    cancelDueDateQrCode: qrcodes.cancelDueDate, cancel dueDateQrCode at "", partner customer, id from createDueDateQrCode#/id
    listImmediateQrCodes: qrcodes.listImmediate, list immediateQrCode at "/data", partner customer
    createImmediateQrCode: qrcodes.createImmediate, create immediateQrCode at "", partner customer
    cancelImmediateQrCode: qrcodes.cancelImmediate, cancel immediateQrCode at "", partner customer, id from createImmediateQrCode#/id
    createStaticQrCode: qrcodes.createStatic, create staticQrCode at "", partner customer
    listUsers: users.list, list user at "/users", partner
    getUser: users.get, read user at "/user", partner, user_id from listUsers#/users/0/id
    createWebhook: webhooks.create, create webhook at "", partner
    listWebhooks: webhooks.list, list webhook at "/data", partner
    getWebhook: webhooks.get, read webhook at "", partner, webhook_id from createWebhook#/id, webhook_id from listWebhooks#/data/0/id
    updateWebhook: webhooks.update, update webhook at "", partner, webhook_id from createWebhook#/id
    deleteWebhook: webhooks.delete, delete webhook, partner, webhook_id from createWebhook#/id
    rotateWebhookSecret: webhooks.rotateSecret, rotateSecret webhook at "", partner, webhook_id from createWebhook#/id
    guideCreateWebhook: webhooks.create, create webhook at "", partner
    guideListWebhooks: webhooks.list, list webhook at "/data", partner
    guideCheckCode: codes.check, check no record, partner customer, emv from createDueDateQrCode#/emv, emv from createImmediateQrCode#/emv, emv from createStaticQrCode#/emv
    guideCreateTransfer: transfers.create, create transfer at "/data", partner customer, emv from checkCode#/emv, amount from checkCode#/final_amount, dict_key from checkKey#/dict_key, initiation_id from checkKey#/initiation_id
    guideCheckKey: keys.check, check no record, partner customer"
  `)
})
