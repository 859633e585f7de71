/**
 * The first partner of the seed data, as whom programs sign in to a new sandbox, and a key of its
 * account. Imports nothing, since the page in the browser reads it too.
 */
export const FIRST_PARTNER = {
  client_key: 'partner',
  client_secret: 'secret',
  /** Of the kind CNPJ: the tax id of the owner. */
  dict_key: '12ABC34501DE35',
} as const
