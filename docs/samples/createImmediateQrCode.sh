curl "$BASE_URL/mobile-bff/v1/pix/qrcode/dynamic/immediate" \
  --header "authorization: Bearer $ACCESS_TOKEN" \
  --header 'content-type: application/json' \
  --data '{
    "dict_key": "12ABC34501DE35",
    "tx_id": "PEDIDO1004PEDIDO1004PEDIDO1004",
    "message": "Pedido 1004",
    "amount": { "original": "35.90" },
    "calendar": { "expiration": 3600 },
    "payer": { "can_change_document": false, "name": "Fulano de Tal", "tax_id": "12345678909" }
  }'
