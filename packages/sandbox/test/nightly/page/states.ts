const AT = '2026-11-21T11:59:00Z'
// One white pixel.
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAG7buVgAAAABJRU5ErkJggg=='

export const account = (over: object = {}) => ({
  id: 'account-1',
  name: 'Loja Exemplo Ltda',
  trade_name: 'Loja Exemplo',
  ispb: '99999010',
  branch: '0001',
  number: '7000001',
  balance: '100000.00',
  held: '25.00',
  keys: ['12ABC34501DE35'],
  ...over,
})

export const transfer = (over: object = {}) => ({
  id: 'transfer-1',
  status: 'pending',
  amount: '25.00',
  end_to_end_id: 'E9999901020261121163535ZOqJzmxPY',
  initiation_type: 'DICT',
  payer: 'Loja Exemplo Ltda',
  payee: 'Beltrana de Tal',
  created_at: AT,
  rejection_message: '',
  ...over,
})

export const qrcode = (over: object = {}) => ({
  id: 'code-1',
  kind: 'Immediate',
  status: 'ATIVA',
  tx_id: 'PEDIDO1004PEDIDO1004PEDIDO1004',
  amount: '10.00',
  dict_key: '12ABC34501DE35',
  emv: '00020101021226800014br.gov.bcb.pix2558pix.example.com/qr/v2/cob/6304ABCD',
  qrcode_image: PIXEL,
  created_at: AT,
  ...over,
})

export const webhook = (over: object = {}) => ({
  id: 'webhook-1',
  url: 'https://loja.example.com/pix',
  type: 'all',
  status: 'active',
  deleted_at: null,
  deliveries: [],
  ...over,
})

export const request = (
  i = 1,
  over: { readonly findings?: readonly object[]; readonly [name: string]: unknown } = {},
) => ({
  request_id: `req_${i}`,
  at: AT,
  method: 'POST',
  path: '/mobile-bff/v1/pix/out/',
  operation: 'createTransfer',
  status: 400,
  code: null,
  duration_ms: 1.25,
  findings: [],
  findings_count: over.findings?.length ?? 0,
  ...over,
})

/** A refused request, as `/_sandbox/requests/{id}` shows it. */
export const exchange = (text: string) => ({
  method: 'POST',
  path: '/mobile-bff/v1/pix/out/',
  query: '',
  request: { headers: [['x-text', text]], body: { text, bytes: text.length, is_cut: false } },
  response: { headers: [['x-text', text]], body: { text, bytes: text.length, is_cut: true } },
  refusal: {
    code: text,
    detail: text,
    errors: [{ pointer: text, detail: text }],
    when: text,
    fix: text,
    question: text,
  },
})

export const EXCHANGE = exchange('201')
