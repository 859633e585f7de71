curl "$BASE_URL/mobile-bff/v1/pix/out/" \
  --header "authorization: Bearer $ACCESS_TOKEN" \
  --header 'content-type: application/json' \
  --data '{
    "type": "emv",
    "amount": "10.50",
    "description": "Pedido 1001",
    "emv": "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000520400005303986540510.505802BR5915Padaria Exemplo6008BRASILIA62140510PEDIDO100163044037"
  }'
