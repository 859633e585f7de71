export { auth, baseUrl, safeFetch } from '../../clients/safe-fetch.ts'
