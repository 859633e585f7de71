curl "$BASE_URL/pix/key" \
  --header "authorization: Bearer $ACCESS_TOKEN" \
  --header 'content-type: application/json' \
  --data '{ "dict_key": "beltrana@example.com" }'
