import { expect, test } from 'vitest'
import { readSetValue } from '../../src/cli/values.ts'
import { readContract } from '../../src/contract/contract.ts'
import { requireEffect } from '../../src/form/settable.ts'

const contract = readContract()

const WITHOUT_EFFECT = [
  {
    set: 'list/items/listCodes=/items',
    message:
      'list/items has no list "listCodes"; it has listImmediateQrCodes, listDueDateQrCodes, listUsers, listWebhooks',
  },
  { set: 'list/items/getUser=', message: 'list/items has no list "getUser"; ' },
  { set: 'list/order/listCodes=oldest-first', message: 'list/order has no list "listCodes"; ' },
  {
    set: 'list/order/listImmediateQrCodes=newest-first',
    message:
      'list/order/listImmediateQrCodes can only be "oldest-first", since the contract declares newest-first; got "newest-first"',
  },
  {
    set: 'list/items/listUsers=items',
    message: 'list/items/listUsers must be a JSON pointer such as /page/cursor, got "items"',
  },
  { set: 'list/next=cursor', message: 'list/next must be a JSON pointer' },
  { set: 'list/next=', message: 'list/next must be a JSON pointer' },
  {
    set: 'list/next=Link',
    message:
      'list/next must be a JSON pointer such as /page/cursor, or link for a header Link, got "Link"',
  },
  { set: 'list/next:=5', message: 'list/next must be a JSON pointer' },
  { set: 'error/code=', message: 'error/code must be a JSON pointer' },
  { set: 'event/transfer.settled=', message: 'event/transfer.settled must not be empty' },
  { set: 'token/transfers=customer', message: 'token has no "transfers"; it has ' },
  { set: 'token/webhook=customer', message: 'token has no "webhook"; it has ' },
  { set: 'place/invoice=/result', message: 'place has no "invoice"; it has ' },
  { set: 'place/transfer=result', message: 'place/transfer must be a JSON pointer' },
  { set: 'place/immediateQrCode/emvv=/code', message: 'no /emvv of immediateQrCode; it has ' },
  {
    set: 'place/immediateQrCode/emv=',
    message: 'place/immediateQrCode/emv must be a JSON pointer',
  },
  { set: 'webhook/stat/inactive=x', message: 'webhook has no field "stat" with words; it has ' },
  { set: 'webhook/url/inactive=x', message: 'webhook has no field "url" with words; it has ' },
  {
    set: 'webhook/status/inactiv=x',
    message: 'webhook/status has no word "inactiv"; it has active, inactive',
  },
  { set: 'createTransfr/amount=1', message: 'the contract has no operation "createTransfr"; ' },
  { set: 'getUser/id=7', message: 'getUser has no "/id" that can be set; it takes /user_id' },
  {
    set: 'listUsers/limit=7',
    message: 'listUsers has no "/limit" that can be set; it takes no values',
  },
]

test.each(WITHOUT_EFFECT)('it refuses --set $set', ({ set, message }) => {
  expect(() => requireEffect(readSetValue(set), contract)).toThrow(message)
})

const WITH_EFFECT = [
  'list/next=/paging/after',
  'list/next=link',
  'list/order/listImmediateQrCodes=oldest-first',
  'list/items/listImmediateQrCodes=/qrcodes',
  'list/items/listUsers=',
  'error/code=/error/type',
  'event/transfer.settled=pix.sent',
  'token/transfer=customer',
  'token/checkKey=customer',
  'place/immediateQrCode=/qrcode',
  'place/transfer=',
  'place/immediateQrCode/emv=/code',
  'place/immediateQrCode/id=/number',
  'place/immediateQrCode/amount/original=/value',
  'authorization/scheme=none',
  'webhook/status/inactive=disabled',
  'webhook/type/all=every',
  'immediateQrCode/status/ATIVA=OPEN',
  'transfer/status/pending=processing',
  'checkKey/dict_key=beltrana@example.com',
  'createTransfer/branch_of_ours=7',
  'impersonate/user_id=7',
  'getUser/user_id=7',
  'createWebhook/url=https://a.example',
]

test.each(WITH_EFFECT)('it takes --set %s', (set) => {
  expect(() => requireEffect(readSetValue(set), contract)).not.toThrow()
})
