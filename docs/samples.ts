import { createClient, createPayments } from '@partner-payments/client'

const { BASE_URL: baseUrl = 'http://127.0.0.1:4010' } = process.env
const { CLIENT_KEY: clientKey = '', CLIENT_SECRET: clientSecret = '' } = process.env
const payments = createPayments({ baseUrl, auth: { clientKey, clientSecret } })
const api = createClient({ baseUrl, auth: { clientKey, clientSecret } })

/** What the samples in TypeScript do, by operation. The pages show each as a program (`build/samples.ts`). */
export const samples = {
  async cancelDueDateQrCode() {
    const id = '6cc98439-360d-4452-b3c4-57b4d015a819'
    const cancelled = await payments.qrcodes.cancelDueDate(id)
    console.log(cancelled.status)
  },

  async cancelImmediateQrCode() {
    const id = '3c4ca66f-518b-41cd-9a44-194be1072428'
    const cancelled = await payments.qrcodes.cancelImmediate(id)
    console.log(cancelled.status)
  },

  async checkCode() {
    const code = await payments.codes.check(
      '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000520400005303986540510.505802BR5915Padaria Exemplo6008BRASILIA62140510PEDIDO100163044037',
    )
    console.log(code.beneficiary.name, code.final_amount)
  },

  async checkKey() {
    const payee = await payments.keys.check('beltrana@example.com')
    console.log(payee.owner_name)
  },

  async createDueDateQrCode() {
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
  },

  async createImmediateQrCode() {
    const code = await payments.qrcodes.createImmediate({
      dict_key: '12ABC34501DE35',
      tx_id: 'PEDIDO1004PEDIDO1004PEDIDO1004',
      message: 'Pedido 1004',
      amount: { original: '35.90' },
      calendar: { expiration: 3600 },
      payer: { can_change_document: false, name: 'Fulano de Tal', tax_id: '12345678909' },
    })
    console.log(code.emv)
  },

  async createStaticQrCode() {
    const code = await payments.qrcodes.createStatic({
      amount: '35.90',
      dict_key: '+5561912345678',
      message: 'Pedido 1003',
    })
    console.log(code.emv)
  },

  async createTransfer() {
    // Show payee.owner_name to the person who pays.
    const payee = await payments.keys.check('beltrana@example.com')

    // If the payment may have been made, this rejects with
    // an OutcomeUnknownError: do not send it again.
    const transfer = await payee.pay({
      amount: '25.00',
      description: 'Almoço',
    })
    console.log(transfer.status)
  },

  async createWebhook() {
    const webhook = await payments.webhooks.create({
      type: 'all',
      url: 'https://partner.example.com/pix/events',
    })
    // Store webhook.secret now, where you keep passwords.
    console.log(webhook.id)
  },

  async deleteWebhook() {
    const webhook_id = 'ea39a477-9f5e-4b25-9540-bcba72e862bb'
    await payments.webhooks.delete(webhook_id)
    console.log('deleted')
  },

  async getUser() {
    const user_id = '25fd6010-0b86-417f-96a3-7c5e37646c16'
    const { user, customers } = await payments.users.get(user_id)
    console.log(user.username, customers.length)
  },

  async getWebhook() {
    const webhook_id = 'ea39a477-9f5e-4b25-9540-bcba72e862bb'
    const webhook = await payments.webhooks.get(webhook_id)
    console.log(webhook.url, webhook.status)
  },

  async guideCheckCode() {
    const { data, error } = await api.POST('/pix/brcode/emv', {
      body: {
        emv: '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000520400005303986540510.505802BR5915Padaria Exemplo6008BRASILIA62140510PEDIDO100163044037',
      },
    })
    if (error) throw new Error(error.title)
    console.log(data.beneficiary.name, data.final_amount)
  },

  async guideCheckKey() {
    const { data, error } = await api.POST('/pix/key', {
      body: { dict_key: 'beltrana@example.com' },
    })
    if (error) throw new Error(error.title)
    console.log(data.owner_name)
  },

  async guideCreateTransfer() {
    // Show owner.data.owner_name to the person who pays.
    const dict_key = 'beltrana@example.com'
    const owner = await api.POST('/pix/key', { body: { dict_key } })
    if (owner.error) throw new Error(owner.error.title)

    // If the payment may have been made, this rejects with
    // an OutcomeUnknownError: do not send it again.
    const { data, error } = await api.POST('/pix/out', {
      body: {
        type: 'dict',
        amount: '25.00',
        description: 'Almoço',
        initiation_id: owner.data.initiation_id,
        dict_key,
      },
    })
    if (error) throw new Error(error.title)
    console.log(data.status)
  },

  async guideCreateWebhook() {
    const { data, error } = await api.POST('/partners/webhooks', {
      body: { url: 'https://partner.example.com/pix/events' },
    })
    if (error) throw new Error(error.title)
    // Store data.secret now, where you keep passwords.
    console.log(data.id)
  },

  async guideListWebhooks() {
    const { data, error } = await api.GET('/partners/webhooks')
    if (error) throw new Error(error.title)
    console.log(data.data.map((webhook) => webhook.url))
  },

  async impersonate() {
    // Seldom needed: payments.as(…) does it by itself.
    const tokens = await payments.auth.impersonate({
      customer_id: '399e8188-1b06-4083-9229-9cdafae0c748',
      user_id: '25fd6010-0b86-417f-96a3-7c5e37646c16',
    })
    console.log(tokens.expiration)
  },

  async listDueDateQrCodes() {
    // Every record, page after page.
    const codes = payments.qrcodes.listDueDate({
      status: 'ATIVA',
      limit: '20',
    })
    for await (const code of codes) {
      console.log(code.tx_id, code.status)
    }
  },

  async listImmediateQrCodes() {
    // Every record, page after page.
    const codes = payments.qrcodes.listImmediate({
      status: 'ATIVA',
      limit: '20',
    })
    for await (const code of codes) {
      console.log(code.tx_id, code.status)
    }
  },

  async listUsers() {
    const { users } = await payments.users.list()
    console.log(users.map((user) => user.username))
  },

  async listWebhooks() {
    const { data } = await payments.webhooks.list()
    console.log(data.map((webhook) => webhook.url))
  },

  async rotateWebhookSecret() {
    const webhook_id = 'ea39a477-9f5e-4b25-9540-bcba72e862bb'
    const webhook = await payments.webhooks.rotateSecret(webhook_id)
    // Give the receiver webhook.secret now, beside the old one.
    console.log(webhook.id)
  },

  async signIn() {
    // Seldom needed: the client signs in by itself.
    const tokens = await payments.auth.signIn()
    console.log(tokens.expiration)
  },

  async updateWebhook() {
    const webhook_id = 'ea39a477-9f5e-4b25-9540-bcba72e862bb'
    const webhook = await payments.webhooks.update(webhook_id, {
      status: 'inactive',
      type: 'all',
      url: 'https://partner.example.com/pix/events',
    })
    console.log(webhook.status)
  },
}

// `node docs/samples.ts createTransfer` runs one.
if (import.meta.main) {
  const [id] = process.argv.slice(2)
  const found = Object.entries(samples).find(([name]) => name === id)
  if (!found) throw new Error(`expected one of ${Object.keys(samples).join(', ')}, got "${id}"`)
  await found[1]()
}
