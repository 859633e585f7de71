curl "$BASE_URL/mobile-bff/v1/pix/dict/check/" \
  --header "authorization: Bearer $ACCESS_TOKEN" \
  --header 'content-type: application/json' \
  --data '{ "dict_key": "beltrana@example.com" }'
