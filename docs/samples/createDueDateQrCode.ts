import { createPayments } from '@partner-payments/client'

const { BASE_URL: baseUrl = 'http://127.0.0.1:4010' } = process.env
const { CLIENT_KEY: clientKey = '', CLIENT_SECRET: clientSecret = '' } = process.env
const payments = createPayments({ baseUrl, auth: { clientKey, clientSecret } })

const code = await payments.qrcodes.createDueDate({
  dict_key: '12ABC34501DE35',
  tx_id: 'PEDIDO1002PEDIDO1002PEDIDO1002',
  message: 'Pedido 1002',
  additional_infos: [{ name: 'Pedido', value: '1002' }],
  amount: {
    original: '100.00',
    discount: { modality: '1', fixedDateDiscount: [{ amount: '5.00', date: '2026-12-10' }] },
    fine: { amount: '2.00', modality: '2' },
    interest: { amount: '1.00', modality: '3' },
  },
  calendar: { due_date: '2026-12-15', expiration_days: 30 },
  payer: {
    address_line: 'Rua Exemplo, 100',
    can_change_document: false,
    city: 'Brasília',
    email: 'fulano@example.com',
    name: 'Fulano de Tal',
    state: 'DF',
    tax_id: '12345678909',
    zipcode: '70000000',
  },
})
console.log(code.emv)
