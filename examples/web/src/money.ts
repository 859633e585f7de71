import { fromCentavos, toCentavos } from '@partner-payments/client'

const reais = new Intl.NumberFormat('en', { style: 'currency', currency: 'BRL' })

/** An amount of the contract to read; nothing for zero, which stands for "none" there. Exact: the text is never a float. */
export function money(amount: string, sign = ''): string {
  return /[1-9]/.test(amount) ? sign + reais.format(amount as `${number}`) : ''
}

/** What somebody typed as an amount of the contract, with a comma or a dot; undefined where it is none above zero. */
export function amountIn(typed: string): string | undefined {
  const text = typed.trim().replace(',', '.')
  return /^\d{1,12}(\.\d{1,2})?$/.test(text) && /[1-9]/.test(text)
    ? fromCentavos(toCentavos(text))
    : undefined
}
