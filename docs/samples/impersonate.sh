curl "$BASE_URL/mobile-bff/v1/auth/partner/impersonate/" \
  --header "authorization: Bearer $ACCESS_TOKEN" \
  --header 'content-type: application/json' \
  --data '{
    "customer_id": "399e8188-1b06-4083-9229-9cdafae0c748",
    "user_id": "25fd6010-0b86-417f-96a3-7c5e37646c16"
  }'
