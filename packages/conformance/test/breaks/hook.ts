import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

/** The package that reads the broken copy, and the file of it. */
const { BROKEN_SIDE, BROKEN_FILE } = process.env

/** Gives one package a broken copy of spec/behaviour. All others read the right one. */
registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context)
    const isBehaviour = specifier === '@partner-payments/spec/behaviour.json'
    const isOfSide = context.parentURL?.includes(`/packages/${BROKEN_SIDE}/src/`)
    if (!isBehaviour || !isOfSide || !BROKEN_FILE) return resolved
    return { ...resolved, url: pathToFileURL(BROKEN_FILE).href }
  },
})
