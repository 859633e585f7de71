curl "$BASE_URL/mobile-bff/v1/pix/qrcode/static/" \
  --header "authorization: Bearer $ACCESS_TOKEN" \
  --header 'content-type: application/json' \
  --data '{
    "amount": "35.90",
    "dict_key": "+5561912345678",
    "message": "Pedido 1003"
  }'
