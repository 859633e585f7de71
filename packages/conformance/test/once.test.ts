import { expect, test } from 'vitest'
import {
  cancel,
  charge,
  chargeOf,
  codeOf,
  create,
  example,
  expectFindings,
  lookUp,
  type Manner,
  pass,
  payCode,
  payKey,
  readStory,
  type Who,
  webhook,
  webhookOf,
} from './story.ts'

const emv = codeOf(1, 'staticQrCode')
const tx_id = 'A'.repeat(30)
const look = (initiation_id: string, by: Who = 'partner') => lookUp({ initiation_id }, { by })
/** The fields of a transfer of its own. */
const transfer = (status: string) => {
  const own = { id: crypto.randomUUID(), status }
  return {
    own,
    data: { ...own, ...(status === 'rejected' && { rejection_message: 'AC03', settled_at: '' }) },
  }
}
const pay = (initiation_id: string, manner: Manner = {}, sent: object = {}, status = 'settled') => {
  const { own, data } = transfer(status)
  return payKey({ initiation_id, ...sent }, data, { ...manner, shows: own })
}
const payAs = (status: string, manner: Parameters<typeof payCode>[1] = {}) => {
  const { own, data } = transfer(status)
  return payCode({ ...own, data: { ...Object(example('immediatePending').data), ...data } }, manner)
}

expectFindings({
  'once-issued@checkKey': { 'an initiation_id that is empty': [lookUp({ initiation_id: '' })] },
  'once-issued@createWebhook': {
    'an id issued twice': [
      webhook,
      webhookOf({}, { shows: { id: '00000000-0000-4000-8000-000000000001' } }),
    ],
  },
  'once-unique@createDueDateQrCode': {
    'a unique value accepted twice': [chargeOf({ tx_id }), create('dueDateQrCode', { tx_id })],
  },
  'once-unique@createImmediateQrCode': {
    'a unique value accepted again after its end': [
      chargeOf({ tx_id }),
      cancel(),
      chargeOf({ tx_id }),
    ],
    'a unique value that is refused to another partner': [
      chargeOf({ tx_id }),
      chargeOf({ tx_id }, { by: 'other', refused: 'tx_id_taken' }),
    ],
    'a unique value that is refused though nobody has used it': [
      chargeOf({ tx_id }),
      chargeOf({ tx_id: tx_id.toLowerCase() }, { refused: 'tx_id_taken' }),
    ],
  },
  nothing: {
    'a unique value that two partners use': [
      chargeOf({ tx_id }),
      chargeOf({ tx_id }, { by: 'other' }),
    ],
    'one use of an initiation': [
      look('ini_1'),
      pay('ini_1'),
      pay('ini_1', { refused: 'initiation_used' }),
    ],
    'a transfer after one without response': [
      look('ini_1'),
      pay('ini_1', { lost: true }),
      pay('ini_1'),
    ],
    'a code whose first payment was rejected': [charge, payAs('rejected'), payAs('pending')],
  },
  'once-refused@createImmediateQrCode': {
    'a unique value that a refused request used up': [
      chargeOf({ tx_id }, { refused: 'invalid_charge' }),
      chargeOf({ tx_id }, { refused: 'tx_id_taken' }),
    ],
  },
  'once-used@createTransfer': {
    'two transfers with one initiation': [look('ini_1'), pay('ini_1'), pay('ini_1')],
    'the initiation of a rejected transfer': [
      look('ini_1'),
      pay('ini_1', {}, {}, 'rejected'),
      pay('ini_1'),
    ],
    'two transfers at once': [look('ini_1'), pay('ini_1', { ms: 5 }), pay('ini_1', { ms: 5 })],
    'an invented initiation': [pay('ini_2')],
    'the initiation of another caller': [look('ini_1', 'other'), pay('ini_1')],
    'the initiation of another key': [
      look('ini_1'),
      pay('ini_1', {}, { dict_key: 'x@example.com' }),
    ],
    'an initiation after half an hour': [look('ini_1'), pass(1_801_000), pay('ini_1')],
    'a code that is paid twice': [charge, payAs('pending'), payAs('pending')],
    'a static code that is paid once only': [
      create('staticQrCode'),
      payAs('pending', { emv }),
      payAs('pending', { emv, refused: 'code_paid' }),
    ],
  },
  'once-refused@createTransfer': {
    'an initiation that a refused transfer used up': [
      look('ini_1'),
      pay('ini_1', { refused: 'invalid_charge' }),
      pay('ini_1', { refused: 'initiation_used' }),
    ],
  },
})

test.each([
  ['money that may move twice', 'critical', pay('ini_1')],
  ['the first transfer, shown again', 'warning', payKey({ initiation_id: 'ini_1' })],
])('it reports %s as %s', (_, severity, again) => {
  const { findings } = readStory([look('ini_1'), payKey({ initiation_id: 'ini_1' }), again])
  expect(findings.find(({ rule }) => rule === 'once-used')).toMatchObject({
    severity,
    kind: 'deviation',
    cites: { question: 'transfer-repeat' },
  })
})
