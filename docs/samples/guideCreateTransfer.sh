curl "$BASE_URL/pix/out" \
  --header "authorization: Bearer $ACCESS_TOKEN" \
  --header 'content-type: application/json' \
  --data '{
    "type": "dict",
    "amount": "25.00",
    "description": "Almoço",
    "initiation_id": "ini_7Qm2Vb9XcT4kLr8NzW3s",
    "dict_key": "beltrana@example.com"
  }'
